import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/ids/id.js';
import { chromium, ConsoleSite } from './console-site.js';
import { costOfScrolling } from './scroll-cost.js';

const COUNT = 2_000;

/** Rows that may exist in the page, of 2,000: those near the visible ones. */
const MOST_ROWS = 60;

/** Most CPU time of a step of the mouse wheel, as a multiple of the reference. The list takes 0.2. */
const MOST_COST = 0.6;

describe.skipIf(chromium === null)('the overview of 2,000 destinations', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const example = await site.events.destination();
    const { db } = site.events.api.store;
    const row = await db.selectFrom('resources').selectAll().where('id', '=', example.id).executeTakeFirstOrThrow();
    const lane = await db
      .selectFrom('delivery_lanes')
      .selectAll()
      .where('destination_id', '=', example.id)
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: COUNT - 1 }, () => newId('ed'));
    for (let from = 0; from < ids.length; from += 200) {
      const some = ids.slice(from, from + 200);
      await db
        .insertInto('resources')
        .values(some.map((id) => ({ ...row, id, attributes: JSON.stringify(row.attributes) })))
        .execute();
      await db
        .insertInto('delivery_lanes')
        .values(some.map((id) => ({ ...lane, destination_id: id, earlier_epochs: null })))
        .execute();
    }
  });
  afterAll(() => site.close());

  /** Returns the number of rows that exist in the page. */
  function rowsIn(page: Page): Promise<number> {
    return page.getByRole('grid').locator('[data-index]').count();
  }

  test('has only the rows near the visible ones in the page, also at its end', async () => {
    const page = await site.page();
    await page.getByText('2,000 shown').waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    expect(await rowsIn(page)).toBeLessThan(MOST_ROWS);
    await page.getByRole('grid').locator('[data-index="0"]').focus();
    await page.keyboard.press('End');
    await page
      .getByRole('grid')
      .locator(`[data-index="${COUNT - 1}"]:focus`)
      .waitFor();
    expect(await rowsIn(page)).toBeLessThan(MOST_ROWS);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('takes little CPU time for each step when it is scrolled', async () => {
    const page = await site.page();
    await page.getByText('2,000 shown').waitFor();
    expect(await costOfScrolling(page)).toBeLessThanOrEqual(MOST_COST);
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
  });
});
