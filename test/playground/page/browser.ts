/** A real Chromium for the page's tests. Without one they are skipped, aloud; in CI that is a failure. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where it is, unless CHROMIUM says otherwise. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether the suites can run. */
export function hasBrowser(): boolean {
  if (existsSync(CHROMIUM)) return true;
  if (process.env.CI === 'true')
    throw new Error(`${CHROMIUM} is missing: install chromium, the page's tests need it in CI.`);
  process.stderr.write(
    `SKIPPED: ${CHROMIUM} is missing, so the page is not tested in a browser. apt-get install chromium\n`,
  );
  return false;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
