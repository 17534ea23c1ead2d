import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromium } from '../browser/console-site.js';
import { costOfScrolling } from '../browser/scroll-cost.js';
import { openRecorded, Refusal } from './recorded-console.js';
import { deliveryOf, eventOf, idOf, listOf, statusOf } from './recorded-resources.js';

/** Rows that may exist in the page: those near the visible ones. */
const MOST_ROWS = 60;

/** Most CPU time of a step of the mouse wheel, as a multiple of the reference. A list takes 0.2. */
const MOST_COST = 0.6;

const grid = (page: Page) => page.getByRole('grid');
const row = (page: Page, index: number) => grid(page).locator(`[data-index="${index}"]`);

describe.skipIf(chromium === null)('the overview of 2,000 destinations', () => {
  const COUNT = 2_000;
  const statuses = Array.from({ length: COUNT }, (_, index) => statusOf(index, { description: `Lake ${index}` }));
  const open = async () => {
    const opened = await openRecorded('/', {
      'GET /event_destinations/status': listOf('statuses', statuses),
      'GET /event_destinations/metrics': { destinations: [] },
      'GET /event_destinations/deliveries': listOf('deliveries'),
      'GET /event_subscriptions': listOf('event_subscriptions'),
      'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [] },
    });
    await opened.page.getByText('2,000 shown').waitFor();
    return opened;
  };

  test('has only the rows near the visible ones in the page, also at its end', async () => {
    const { page, complaints } = await open();
    expect(await grid(page).getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    expect(await grid(page).locator('[data-index]').count()).toBeLessThan(MOST_ROWS);
    await row(page, 0).focus();
    await page.keyboard.press('End');
    await page.locator(`[data-index="${COUNT - 1}"]:focus`).waitFor();
    expect(await grid(page).locator('[data-index]').count()).toBeLessThan(MOST_ROWS);
    expect(complaints).toEqual([]);
  });

  test('is walked by arrows: up and down from row to row, right and left within one', async () => {
    const { page } = await open();
    const focused = () => page.evaluate('document.activeElement?.ariaLabel ?? document.activeElement?.textContent');
    await row(page, 0).focus();
    // Keys of the browser stay its own.
    for (const key of ['Alt+ArrowRight', 'Control+ArrowRight', 'Control+End', 'Control+Home']) {
      await page.keyboard.press(key);
      expect(await row(page, 0).and(page.locator(':focus')).count()).toBe(1);
    }
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Select Lake 0');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Lake 0');
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-index="1"]:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Select Lake 1');
    await page.keyboard.press('ArrowLeft');
    await page.locator('[data-index="1"]:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(`/destinations/${idOf('ed', 1)}`));
  });

  test('takes little CPU time for each step when it is scrolled', async () => {
    const { page } = await open();
    expect(await costOfScrolling(page)).toBeLessThanOrEqual(MOST_COST);
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
  });
});

describe.skipIf(chromium === null)('a search with 100,000 events', () => {
  const COUNT = 100_000;
  /** Events of a response. The service sends 100: the list would need 1,000 requests. */
  const PAGE = 10_000;

  /** Opens the list, and reads it to its end as a person does who keeps on scrolling. */
  async function open(): Promise<Page> {
    const { page } = await openRecorded('/events', {
      'GET /event_types': listOf('event_types'),
      'GET /events': (_body, { searchParams }) => {
        const before = searchParams.get('before_id');
        // Nothing is newer than the list, or was committed late.
        if (searchParams.get('order') === 'oldest_first' || before === eventOf(COUNT - 1).id) return listOf('events');
        const end = Number(before?.slice(-8) ?? COUNT);
        const events = Array.from({ length: PAGE }, (_, index) => eventOf(end - 1 - index));
        const next = end > PAGE ? `/events?before_id=${String(events.at(-1)?.id)}` : null;
        return { events, uri: '', next_page_uri: next };
      },
    });
    await page.getByText(`${PAGE.toLocaleString('en')} events read, more`).waitFor();
    const timer = await page.evaluate<number>(
      'setInterval(() => scrollTo(0, document.documentElement.scrollHeight), 20)',
    );
    await page.getByText(`${COUNT.toLocaleString('en')} events, all that match`).waitFor({ timeout: 120_000 });
    await page.evaluate(`clearInterval(${timer})`);
    return page;
  }

  test('has the rows near the visible ones, is walked to its end, and is scrolled with little CPU time', async () => {
    const page = await open();
    expect(await grid(page).getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    expect(await grid(page).locator('[data-index]').count()).toBeLessThan(MOST_ROWS);
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.locator('[data-index="0"]:focus').waitFor();
    await page.keyboard.press('End');
    await page.locator(`[data-index="${COUNT - 1}"]:focus`).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator(`[data-index="${COUNT - 2}"]:focus`).waitFor();
    expect(await costOfScrolling(page)).toBeLessThanOrEqual(MOST_COST);
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
  });
});

describe.skipIf(chromium === null)('a list whose next page is refused', () => {
  const lake = statusOf(1);
  const policy = { id: idOf('ipp', 1), uri: `/ip_policies/${idOf('ipp', 1)}`, created_at: '2026-11-20T08:00:00Z' };

  test.each([
    [
      'deliveries',
      `/destinations/${lake.id}?tab=deliveries`,
      `/event_destinations/${lake.id}/deliveries`,
      deliveryOf(1),
    ],
    ['ip_policies', '/resources/ip_policy', '/ip_policies', policy],
  ])('is not asked for it again by itself: %s', async (name, path, route, item) => {
    let refused = 0;
    const { page } = await openRecorded(path, {
      'GET /event_destinations/status': listOf('statuses', [lake]),
      [`GET /event_destinations/${lake.id}`]: { id: lake.id, uri: '', description: null, target: { data_stream: {} } },
      [`GET /event_destinations/${lake.id}/events`]: listOf('events'),
      'GET /event_subscriptions': listOf('event_subscriptions'),
      'GET /event_types': listOf('event_types'),
      [`GET ${route}`]: (_body, { searchParams }) => {
        if (!searchParams.has('before_id')) {
          return { [name]: [item], uri: '', next_page_uri: `${route}?before_id=${item.id}` };
        }
        refused += 1;
        return new Refusal(403, { error_code: 'role_not_allowed', detail: 'Refused.', operation_id: 'op_1' });
      },
    });
    await page.getByRole('alert').getByText('Refused.').waitFor();
    // A request that the error leads to is sent before these.
    for (let requests = 0; requests < 3; requests += 1) await page.evaluate("fetch('/event_types')");
    expect(refused).toBe(1);
  });
});
