import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, ConsoleSite } from './console-site.js';

/** Most bytes of the files of a first page, as they are transferred: the service compresses them with gzip. */
const MOST_BYTES = 250_000;

/** A file that a page has loaded. */
interface LoadedFile {
  readonly path: string;
  /** Bytes that were transferred, without the headers. */
  readonly bytes: number;
  /** Bytes after they were decompressed. */
  readonly fullBytes: number;
}

describe.skipIf(chromium === null)('the first page of the console', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.open();
  });
  afterAll(() => site.close());

  /** Returns the page itself and every script and style that it has loaded, in advance or by another one too. */
  async function filesOf(page: Page): Promise<readonly LoadedFile[]> {
    const all = await page.evaluate<readonly LoadedFile[]>(
      `performance.getEntries().filter(({ entryType }) => entryType === 'navigation' || entryType === 'resource')
        .map(({ name, encodedBodySize: bytes, decodedBodySize: fullBytes }) =>
          ({ path: new URL(name).pathname, bytes, fullBytes }))`,
    );
    return all.filter(({ path }) => path.startsWith('/console'));
  }

  function totalOf(files: readonly LoadedFile[], size: 'bytes' | 'fullBytes' = 'bytes'): number {
    return files.reduce((sum, file) => sum + file[size], 0);
  }

  test(`needs at most ${MOST_BYTES} bytes for the sign-in page, and with the overview after it`, async () => {
    const page = await site.page({ role: null });
    await page.getByLabel('API key').waitFor();
    const first = await filesOf(page);
    expect(first.filter(({ path }) => path.endsWith('.css')).length).toBeGreaterThan(0);
    expect(totalOf(first)).toBeLessThanOrEqual(MOST_BYTES);
    // They are compressed.
    expect(totalOf(first)).toBeLessThan(totalOf(first, 'fullBytes') / 2);

    await page.getByLabel('API key').fill(await site.keyOf('admin'));
    await page.keyboard.press('Enter');
    await page.getByText('No destination yet').waitFor();
    // The palette is loaded in advance: it is a part of the page.
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    const all = await filesOf(page);
    console.log(first, all, totalOf(first), totalOf(all));
    expect(all.length).toBeGreaterThan(first.length);
    expect(totalOf(all)).toBeLessThanOrEqual(MOST_BYTES);
    // A file without bytes would not count.
    expect(all.filter(({ bytes }) => bytes === 0)).toEqual([]);
  });
});
