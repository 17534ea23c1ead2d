import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, showTheme, themes } from './accessibility.js';
import { chromium, ConsoleSite, type Size } from './console-site.js';
import { pathOf, screens, type Screen } from './screens.js';
import { populate } from './show-screens.js';

/** Folder of the pictures of the screens; undefined: none are taken. */
const kept = process.env['CONSOLE_SHOTS'];

/** The screen of a desktop, and of a phone. */
const DESKTOP: Size = { width: 1280, height: 800 };
const PHONE: Size = { width: 390, height: 844 };

/** The largest screen in common use. */
const WIDE = { width: 3840, height: 2160 };

/** Width of the longest paragraph, in units of its font size: some 90 characters. */
const LONGEST_LINE = 65;

/** Names of the buttons and links that change something. An auditor saves views in the browser, and deletes exports. */
const changes =
  /^(?:Test|Pause|Resume|Redeliver|Backfill|Create|Change|Repair|Save the destination|Send|Cancel the backfill)(?! updates)\b/;

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

describe.skipIf(chromium === null)('a screen of the console', () => {
  let site: ConsoleSite;
  let signedIn: Page;
  let signedOut: Page;
  beforeAll(async () => {
    if (kept !== undefined) await mkdir(kept, { recursive: true });
    site = await ConsoleSite.open();
    await populate(site);
    signedIn = await site.lastingPage();
    signedOut = await site.lastingPage({ role: null });
  });
  afterAll(() => site.close());

  /** Takes a picture of a page in each theme, where pictures are wanted. */
  async function takePictures(page: Page, name: string, { width }: Size): Promise<void> {
    if (kept === undefined) return;
    for (const theme of themes) {
      await showTheme(page, theme);
      await page.screenshot({ path: path.join(kept, `${name}-${theme}-${width}.png`) });
    }
  }

  /** Shows the page in a window of another size, as it is when it has been drawn. */
  async function resize(page: Page, size: Size): Promise<void> {
    await page.setViewportSize(size);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
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

  test.each(screens)(
    '$name: axe-core finds nothing on a desktop and on a phone; it scrolls down only, and is in the middle of a large screen',
    async (screen) => {
      const { name } = screen;
      const page = screen.signedOut === true ? signedOut : signedIn;
      await page.setViewportSize(DESKTOP);
      await page.goto(`${site.url}${await pathOf(screen, site)}`);
      await page.getByText(screen.ready).first().waitFor();
      for (const size of [DESKTOP, PHONE]) {
        await resize(page, size);
        for (const theme of themes) {
          await showTheme(page, theme);
          expect(await axeFindings(page, theme), `${name} in the ${theme} theme, ${size.width} pixels wide`).toEqual(
            [],
          );
        }
        await takePictures(page, name, size);
        expect((await layoutOf(page)).width, `width at ${size.width}`).toBeLessThanOrEqual(size.width);
      }

      await resize(page, WIDE);
      await takePictures(page, name, WIDE);
      const { width, offCentre, lines, indent } = await layoutOf(page);
      expect(width).toBe(WIDE.width);
      expect(offCentre.length).toBeGreaterThan(0);
      expect(Math.max(...offCentre), 'the middle').toBeLessThanOrEqual(1);
      expect(Math.max(...lines), 'the longest line').toBeLessThanOrEqual(LONGEST_LINE);
      expect(Math.abs(indent ?? 0), 'the bar').toBeLessThanOrEqual(1);
      if (name === 'overview') expect(indent).not.toBeNull();
      expect(site.complaintsOf(page)).toEqual([]);
    },
  );

  /** Returns the names of what a page offers that changes something. */
  async function changesIn(page: Page): Promise<readonly string[]> {
    const texts = await Promise.all(
      (['button', 'link'] as const).map((role) => page.getByRole(role, { name: changes }).allTextContents()),
    );
    return texts.flat();
  }

  /** Opens screens one after another. Returns what they offer that changes something. */
  async function offeredTo(role: 'auditor' | 'admin', which: readonly Screen[]): Promise<readonly string[]> {
    const page = await site.page({ role });
    const offered: string[] = [];
    for (const screen of which) {
      await page.goto(`${site.url}${await pathOf(screen, site)}`);
      const refusal = page.getByRole('heading', { name: 'Your role cannot' });
      await page.getByText(screen.ready).or(refusal).first().waitFor();
      offered.push(...(await changesIn(page)));
    }
    return offered;
  }

  test('offers no change to an auditor, and does to an admin', async () => {
    const withSession = screens.filter((screen) => screen.signedOut !== true);
    expect(await offeredTo('auditor', withSession)).toEqual([]);
    const ofDestination = withSession.filter(({ name }) => name === 'destination');
    expect(await offeredTo('admin', ofDestination)).toEqual(
      expect.arrayContaining(['Test', 'Pause', 'Redeliver', 'Backfill']),
    );
  });
});
