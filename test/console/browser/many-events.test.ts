import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../support/api-client.js';
import { chromium, ConsoleSite } from './console-site.js';
import { framesOfScrolling, shareOfDropped } from './frames.js';

const COUNT = 100_000;

/** Events of a page that the test answers. The service sends 100: the list would need 1,000 requests. */
const PAGE = 10_000;

/** Digits at the end of an id that number the events. */
const ID_DIGITS = 6;

/** Rows that may exist in the page: those near the visible ones. */
const MOST_ROWS = 60;

/** Scrolls of each page: the one that other work on this machine disturbed least counts. */
const ROUNDS = 3;

/** Share of the frames that the list may drop beyond those of the empty page. */
const TOLERATED = 0.05;

/** Longest time for the pages of the list. */
const LOAD_MS = 120_000;

describe.skipIf(chromium === null)('a search with 100,000 events', () => {
  let site: ConsoleSite;
  let page: Page;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { admin } = site.events.api;
    const policy = await admin.create('/ip_policies', {});
    const path = `/events?object_id=${policy.id}`;
    const { body } = await admin.get(path);
    const [event] = body.events as readonly JsonObject[];
    page = await site.lastingPage();
    await page.route(
      (url) => url.pathname === '/events',
      (route) => answer(route, event ?? {}),
    );
    await page.goto(`${site.url}${path}`);
    // The list reads on at its end, as it does for a person who keeps on scrolling.
    await page.getByText(`${PAGE.toLocaleString('en')} events read`).waitFor();
    const timer = await page.evaluate<number>(
      'setInterval(() => scrollTo(0, document.documentElement.scrollHeight), 20)',
    );
    await page.getByText(`${COUNT.toLocaleString('en')} events, all that match`).waitFor({ timeout: LOAD_MS });
    await page.evaluate(`clearInterval(${timer})`);
  }, LOAD_MS + 60_000);
  afterAll(() => site.close());

  test('has only the rows near the visible ones in the page', async () => {
    const grid = page.getByRole('grid', { name: 'Events' });
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    expect(await grid.locator('[data-index]').count()).toBeLessThan(MOST_ROWS);
  });

  test('is walked from its first row to its last by keyboard', async () => {
    const grid = page.getByRole('grid', { name: 'Events' });
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await grid.locator('[data-index="0"]:focus').waitFor();
    await page.keyboard.press('End');
    await grid.locator(`[data-index="${COUNT - 1}"]:focus`).waitFor();
    await page.keyboard.press('ArrowUp');
    await grid.locator(`[data-index="${COUNT - 2}"]:focus`).waitFor();
    expect(await grid.locator('[data-index]:focus').textContent()).toContain('ip_policy_created.v0');
  });

  test('drops no more frames when it is scrolled than an empty page of its height', async () => {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    const empty = await page.context().newPage();
    await empty.setContent(`<div style="height: ${height}px"></div>`);
    const shares: { list: number; empty: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.bringToFront();
      const list = shareOfDropped(await framesOfScrolling(page));
      await empty.bringToFront();
      shares.push({ list, empty: shareOfDropped(await framesOfScrolling(empty)) });
    }
    const least = {
      list: Math.min(...shares.map(({ list }) => list)),
      empty: Math.min(...shares.map((one) => one.empty)),
    };
    expect(least.list, JSON.stringify(shares)).toBeLessThanOrEqual(least.empty + TOLERATED);
    expect(site.complaintsOf(page)).toEqual([]);
  });
});

/** Responds with the next page of the list: copies of an event with other ids. Nothing is newer than the list. */
async function answer(route: Route, event: JsonObject): Promise<void> {
  const url = new URL(route.request().url());
  const isNewest = url.searchParams.get('order') !== 'oldest_first';
  const before = url.searchParams.get('before_id');
  const first = before === null ? COUNT : Number(before.slice(-ID_DIGITS));
  const events = Array.from({ length: isNewest ? PAGE : 0 }, (_, index) => ({
    ...event,
    id: `${String(event.id).slice(0, -ID_DIGITS)}${String(first - 1 - index).padStart(ID_DIGITS, '0')}`,
  }));
  url.searchParams.set('before_id', String(events.at(-1)?.id));
  const next = isNewest && first > PAGE ? url.href : null;
  await route.fulfill({ json: { events, uri: route.request().url(), next_page_uri: next } });
}
