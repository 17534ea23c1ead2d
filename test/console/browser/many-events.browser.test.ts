import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../support/api-client.js';
import { chromium, ConsoleSite } from './console-site.js';
import { costOfScrolling } from './scroll-cost.js';

const COUNT = 100_000;

/** Events of a page that the test answers. The service sends 100: the list would need 1,000 requests. */
const PAGE = 10_000;

/** Digits at the end of an id that number the events. */
const ID_DIGITS = 6;

/** Rows that may exist in the page: those near the visible ones. */
const MOST_ROWS = 60;

/** Most CPU time of a step of the mouse wheel, as a multiple of the reference. The list takes 0.2. */
const MOST_COST = 0.6;

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

  test('takes little CPU time for each step when it is scrolled', async () => {
    expect(await costOfScrolling(page)).toBeLessThanOrEqual(MOST_COST);
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
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
