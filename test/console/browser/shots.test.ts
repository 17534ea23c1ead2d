import { mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showTheme, themes } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';
import { screens } from './screens.js';
import { eachScreen, populate } from './show-screens.js';

/** `npm run console:shots` keeps the files here. */
const kept = process.env['CONSOLE_SHOTS'];

/** A wide screen, and a phone. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

describe.skipIf(chromium === null)('screenshots of the console', () => {
  let site: ConsoleSite;
  const folder = path.resolve(kept ?? path.join(tmpdir(), `waybill-shots-${process.pid}`));
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    site = await ConsoleSite.open();
    await populate(site);
  });
  afterAll(async () => {
    await site.close();
    if (kept === undefined) await rm(folder, { recursive: true });
  });

  test.each(sizes)('show every screen in both themes, $width pixels wide, without scrolling sideways', async (size) => {
    const files: string[] = [];
    await eachScreen(site, { size }, async ({ name }, page) => {
      for (const theme of themes) {
        await showTheme(page, theme);
        const file = path.join(folder, `${name}-${theme}-${size.width}.png`);
        await page.screenshot({ path: file });
        files.push(file);
      }
      const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(widest, `width of ${name}`).toBeLessThanOrEqual(size.width);
      expect(site.complaintsOf(page)).toEqual([]);
    });
    expect(files).toHaveLength(screens.length * themes.length);
    for (const file of files) expect((await stat(file)).size).toBeGreaterThan(5_000);
  });
});
