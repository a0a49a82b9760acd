/** Runs on the site's pages: the site's router follows citations, and the chat is notified of new pages. */
import routes from '@generated/routes';
import siteConfig from '@generated/docusaurus.config';
import { matchPath } from '@docusaurus/router';

/**
 * @typedef {HTMLElement & {
 *   navigate?: (url: string) => boolean | Promise<boolean>,
 *   routeChanged?: () => void,
 * }} PinciteChat
 * @typedef {{pathname: string}} Location
 * @typedef {{path: string, exact?: boolean, strict?: boolean, routes?: Route[]}} Route
 */

const ELEMENT = 'pincite-chat';

/** Called when the new page is on the screen. @type {(() => void)[]} */
let arrivals = [];

const chats = () => /** @type {NodeListOf<PinciteChat>} */ (document.querySelectorAll(ELEMENT));

/**
 * Return whether this build has the page. Another locale's pages and files are not routes.
 * @param {string} pathname
 * @param {Route[]} candidates
 * @returns {boolean}
 */
function hasPage(pathname, candidates) {
  return candidates.some(
    (route) =>
      route.path !== '*'
      && matchPath(pathname, route) !== null
      && (!route.routes || hasPage(pathname, route.routes)),
  );
}

/**
 * Go to a page of this site without a reload.
 * @param {string} address Absolute, or relative to the page.
 * @returns {boolean | Promise<boolean>} False if the browser has to load the page; otherwise resolves when it is there.
 */
function navigate(address) {
  const url = new URL(address, window.location.href);
  if (url.origin !== window.location.origin || !hasPage(decodeURI(url.pathname), /** @type {Route[]} */ (routes))) {
    return false;
  }
  const arrival = new Promise((resolve) => {
    arrivals.push(() => resolve(true));
  });
  // Docusaurus gives its router's history only to components. The router listens to the browser's history, however, and
  // follows a pushed state like the Back and Forward buttons.
  window.history.pushState(null, '', url);
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  return /** @type {Promise<boolean>} */ (arrival);
}

/**
 * Docusaurus calls this when a page, or another place on it, is on the screen.
 * @param {{location: Location, previousLocation: Location | null}} change
 */
export function onRouteDidUpdate({ location, previousLocation }) {
  const route = `/${location.pathname.slice(siteConfig.baseUrl.length)}`;
  chats().forEach((chat) => {
    if (previousLocation && previousLocation.pathname !== location.pathname) {
      chat.routeChanged?.();
    }
    /** The option `hideLauncherOn`. @type {string[]} */
    const hidden = JSON.parse(chat.dataset.noLauncherOn ?? '[]');
    chat.toggleAttribute('no-launcher', hidden.some((path) => matchPath(route, { path, exact: true })));
  });
  const arrived = arrivals;
  arrivals = [];
  arrived.forEach((resolve) => resolve());
}

// Docusaurus also runs this module when it renders pages on the server.
if (typeof window !== 'undefined') {
  // The element's definition would overwrite a property that was set before.
  window.customElements.whenDefined(ELEMENT).then(() => {
    chats().forEach((chat) => {
      chat.navigate = navigate;
    });
  });
}
