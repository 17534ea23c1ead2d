import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Nothing of this reaches out of the machine: no updates, no sync, no field trials. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The shell without windows is first: the tests of the console take about half of the CPU time in it. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The browser of this machine: CHROMIUM_PATH, or the first that PATH has. Null, and a loud message, where there is
 * none; with CI=true that is an error instead.
 */
export function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
  if (found !== undefined) return found;
  const message =
    'No Chromium for the tests: set CHROMIUM_PATH or install chromium. THE TEST OF THE DASHBOARD IN A BROWSER IS SKIPPED.';
  if (process.env['CI'] === 'true') throw new Error(message);
  console.error(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n`);
  return null;
}

/** Longest wait for an element or a page, in milliseconds. */
export const WAIT_MS = 60_000;

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser that the test files of this process share. It can have any number of separate profiles, and ends
 * with the process.
 */
export function sharedChromium(executablePath: string): Promise<Browser> {
  shared ??= chromium.launch({ executablePath, headless: true, args: quiet });
  return shared;
}
