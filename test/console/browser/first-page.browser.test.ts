import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, ConsoleSite } from './console-site.js';

/** Most bytes of a first page with its scripts and styles, compressed with gzip. */
const MOST_BYTES = 180_000;
/** Most files of it, with the page itself. */
const MOST_FILES = 10;
/** Most bytes with the palette and the menu of the account, which are loaded after it. */
const MOST_IN_ADVANCE = 235_000;

describe.skipIf(chromium === null)('the first page of the console', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.open();
  });
  afterAll(() => site.close());

  /** Returns the addresses of the page and of every file of the console that it has loaded, also in advance. */
  async function filesOf(page: Page): Promise<readonly string[]> {
    const loaded = await page.evaluate<readonly string[]>(
      `performance.getEntries()
        .filter(({ entryType }) => entryType === 'navigation' || entryType === 'resource')
        .map(({ name }) => name)`,
    );
    return [...new Set(loaded)].filter((address) => new URL(address).pathname.startsWith('/console'));
  }

  /** Returns the size of files after gzip, in bytes. */
  async function sizeOf(addresses: readonly string[]): Promise<number> {
    const sizes = addresses.map(async (address) => {
      const response = await fetch(address);
      expect(response.status, address).toBe(200);
      return (await promisify(gzip)(await response.arrayBuffer())).length;
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  test(`needs at most ${MOST_FILES} files of ${MOST_BYTES} bytes for the sign-in page, and for the overview after it`, async () => {
    const page = await site.page({ role: null });
    await page.getByLabel('API key').waitFor();
    const first = await filesOf(page);
    expect(first.filter((address) => address.endsWith('.css'))).not.toEqual([]);
    expect(first.length).toBeLessThanOrEqual(MOST_FILES);
    expect(await sizeOf(first)).toBeLessThanOrEqual(MOST_BYTES);

    await page.getByLabel('API key').fill(await site.keyOf('admin'));
    await page.keyboard.press('Enter');
    await page.getByText('No destination yet').waitFor();
    expect(await filesOf(page)).toEqual(first);
    // The page loads the palette after that. It is complete when the palette can be opened.
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    const all = await filesOf(page);
    expect(all.length).toBeGreaterThan(first.length);
    expect(all.some((address) => /\/palette-[^/]*\.js$/.test(address))).toBe(true);
    const size = await sizeOf(all);
    expect(size).toBeLessThanOrEqual(MOST_IN_ADVANCE);
  });
});
