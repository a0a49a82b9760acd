import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core'; // Uses the system's Chromium; downloads nothing.
import { startSidecar } from './sidecar.js';

/** The headless shell first: without windows, menus and an address bar, pages take a quarter of the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? BROWSERS.find(existsSync) ?? BROWSERS[1];
/**
 * Chromium loads the address bar's popups as pages for every window, which would take half of a test's time.
 * This list replaces Playwright's disabled features, so it repeats them.
 */
const WITHOUT = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AimEnabled', 'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding',
  'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying',
  'PreconnectToSearch'];
const SITE = fileURLToPath(new URL('../browser/site/', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const TYPES = /** @type {Record<string, string>} */ ({ '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.md': 'text/markdown; charset=utf-8' });

/** The strictest policy: no inline code, no eval, no other origin. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
  + "require-trusted-types-for 'script'; trusted-types 'none'";

/** @returns {Promise<import('playwright-core').Browser>} */
export function launchBrowser() {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking',
    '--host-resolver-rules=MAP docs.test 127.0.0.1', `--disable-features=${WITHOUT}`] });
}

/** The test site, the built widget and the scripted sidecar, on one origin. */
export function startSite() {
  return startSidecar({
    files(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/favicon.ico') return response.writeHead(204).end(), true;
      const file = pathname.startsWith('/pincite/') ? join(DIST, pathname.slice('/pincite/'.length)) : join(SITE, pathname);
      if (!existsSync(file) || !extname(file)) return false;
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)], 'Content-Security-Policy': POLICY });
      response.end(inLanguage(readFileSync(file, 'utf8'), searchParams.get('lang')));
      return true;
    },
  });
}

/**
 * Return a page in the language of its address.
 * @param {string} text
 * @param {string | null} language
 */
function inLanguage(text, language) {
  return language ? text.replace('<html lang="en">', `<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">`) : text;
}
