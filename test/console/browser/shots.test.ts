import { mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showTheme, themes } from './accessibility.js';
import { chromium, ConsoleSite, type Size } from './console-site.js';
import { screens } from './screens.js';
import { eachScreen, populate } from './show-screens.js';

/** `npm run console:shots` keeps the files here. */
const kept = process.env['CONSOLE_SHOTS'];

/** The screen of a desktop, and of a phone. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** The largest screen in common use. */
const WIDE = { width: 3840, height: 2160 };

/** Width of the longest paragraph, in units of its font size: some 90 characters. */
const LONGEST_LINE = 65;

/** Time for pictures of the largest screen, in milliseconds. */
const PICTURES_MS = 600_000;

/** How a page uses its screen. */
interface Layout {
  readonly width: number;
  /** Pixels between the middle of the screen and the middle of each part of the page. */
  readonly offCentre: readonly number[];
  /** Widths of the paragraphs, in units of their font size. */
  readonly lines: readonly number[];
  /** Pixels between the left ends of the bar and of the page; null without a bar. */
  readonly indent: number | null;
}

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

  /** Takes pictures of a page in both themes. Returns their files. */
  async function picturesOf(page: Page, name: string, { width }: Size): Promise<readonly string[]> {
    const files: string[] = [];
    for (const theme of themes) {
      await showTheme(page, theme);
      const file = path.join(folder, `${name}-${theme}-${width}.png`);
      await page.screenshot({ path: file });
      files.push(file);
    }
    return files;
  }

  function layoutOf(page: Page): Promise<Layout> {
    return page.evaluate<Layout>(`(() => {
      const main = document.querySelector('main');
      const box = (element) => element.getBoundingClientRect();
      const sizeOf = (element, name) => Number.parseFloat(getComputedStyle(element)[name]);
      const brand = document.querySelector('nav[aria-label="Console"]')?.parentElement.querySelector('a');
      return {
        width: document.documentElement.scrollWidth,
        offCentre: [...main.children].map(box).map(({ left, right }) => Math.abs((left + right - innerWidth) / 2)),
        lines: [...main.querySelectorAll('p:not([aria-hidden])')].map((p) => box(p).width / sizeOf(p, 'fontSize')),
        indent: brand ? box(brand).left - box(main).left - sizeOf(main, 'paddingLeft') : null,
      };
    })()`);
  }

  test.each(sizes)('show every screen in both themes, $width pixels wide, without scrolling sideways', async (size) => {
    const files: string[] = [];
    await eachScreen(site, { size }, async ({ name }, page) => {
      files.push(...(await picturesOf(page, name, size)));
      const { width } = await layoutOf(page);
      expect(width, `width of ${name}`).toBeLessThanOrEqual(size.width);
      expect(site.complaintsOf(page)).toEqual([]);
    });
    expect(files).toHaveLength(screens.length * themes.length);
    for (const file of files) expect((await stat(file)).size).toBeGreaterThan(5_000);
  });

  test(
    `every screen is in the middle of ${WIDE.width} pixels, under its bar, without long lines`,
    async () => {
      const visited: string[] = [];
      const underBar: string[] = [];
      await eachScreen(site, { size: WIDE }, async ({ name }, page) => {
        if (kept !== undefined) await picturesOf(page, name, WIDE);
        const { width, offCentre, lines, indent } = await layoutOf(page);
        expect(width, `width of ${name}`).toBe(WIDE.width);
        expect(offCentre.length, name).toBeGreaterThan(0);
        expect(Math.max(...offCentre), `the middle of ${name}`).toBeLessThanOrEqual(1);
        expect(Math.max(...lines), `the longest line of ${name}`).toBeLessThanOrEqual(LONGEST_LINE);
        expect(Math.abs(indent ?? 0), `the bar of ${name}`).toBeLessThanOrEqual(1);
        if (indent !== null) underBar.push(name);
        visited.push(name);
      });
      expect(visited).toHaveLength(screens.length);
      expect(underBar).toContain('overview');
    },
    kept === undefined ? undefined : PICTURES_MS,
  );
});
