/**
 * The page's side of the plugin: a citation followed within the site does not reload it, and the chat learns when the
 * page has changed.
 */
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
const SITE_ROUTES = /** @type {Route[]} */ (routes);

/** Called when the page that was navigated to is there. @type {(() => void)[]} */
let arrivals = [];

/** @returns {NodeListOf<PinciteChat>} */
function chats() {
  return document.querySelectorAll(ELEMENT);
}

/**
 * Whether this build has the page, rather than another locale's, a file, or nothing.
 *
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
 *
 * @param {string} address Absolute, or relative to the page.
 * @returns {boolean | Promise<boolean>} False when the browser has to do it; otherwise resolves once the page is there.
 */
function navigate(address) {
  const url = new URL(address, window.location.href);
  if (url.origin !== window.location.origin || !hasPage(decodeURI(url.pathname), SITE_ROUTES)) {
    return false;
  }
  const arrival = new Promise((resolve) => {
    arrivals.push(() => resolve(true));
  });
  // Docusaurus hands its router's history to components only. It listens to the browser's, however, and follows a
  // state that was pushed there as it follows the Back and Forward buttons.
  window.history.pushState(null, '', url);
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  return /** @type {Promise<boolean>} */ (arrival);
}

/**
 * Keep the launcher off the routes that the option `hideLauncherOn` names.
 *
 * @param {string} pathname
 */
function showLauncher(pathname) {
  const route = `/${pathname.slice(siteConfig.baseUrl.length)}`;
  chats().forEach((chat) => {
    const hidden = JSON.parse(chat.dataset.noLauncherOn ?? '[]');
    chat.toggleAttribute('no-launcher', hidden.some((/** @type {string} */ path) => matchPath(route, { path, exact: true })));
  });
}

/**
 * Docusaurus calls this whenever a page, or another place on it, is on the screen.
 *
 * @param {{location: Location, previousLocation: Location | null}} change
 */
export function onRouteDidUpdate({ location, previousLocation }) {
  if (previousLocation && previousLocation.pathname !== location.pathname) {
    chats().forEach((chat) => chat.routeChanged?.());
  }
  showLauncher(location.pathname);
  const arrived = arrivals;
  arrivals = [];
  arrived.forEach((resolve) => resolve());
}

// Docusaurus runs this module when it renders pages on the server as well.
if (typeof window !== 'undefined') {
  // Set before the element is defined, the property would be lost when it is.
  window.customElements.whenDefined(ELEMENT).then(() => {
    chats().forEach((chat) => {
      chat.navigate = navigate;
    });
  });
}
