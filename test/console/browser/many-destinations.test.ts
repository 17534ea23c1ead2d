import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/ids/id.js';
import { chromium, ConsoleSite } from './console-site.js';
import { framesOfScrolling, shareOfDropped } from './frames.js';

const COUNT = 2_000;

/** Rows that may exist in the page, of 2,000: those near the visible ones. */
const MOST_ROWS = 60;

/** Scrolls of each page: the one that other work on this machine disturbed least counts. */
const ROUNDS = 3;

/** Share of the frames that the list may drop beyond those of the empty page. */
const TOLERATED = 0.05;

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

  test('drops no more frames when it is scrolled than an empty page of its height', async () => {
    const page = await site.page();
    await page.getByText('2,000 shown').waitFor();
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
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
    const best = {
      list: Math.min(...shares.map(({ list }) => list)),
      empty: Math.min(...shares.map((one) => one.empty)),
    };
    expect(best.list, JSON.stringify(shares)).toBeLessThanOrEqual(best.empty + TOLERATED);
  });
});
