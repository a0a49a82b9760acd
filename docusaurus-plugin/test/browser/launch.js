import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** The headless shell first: without windows, menus and an address bar, pages take a quarter of the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? BROWSERS.find(existsSync) ?? BROWSERS[1];

/** The system's Chromium, or the one in `CHROMIUM`. */
export function launchBrowser() {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
}
