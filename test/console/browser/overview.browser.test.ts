import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../tools/harness/until.js';
import type { JsonObject } from '../../support/api-client.js';
import { chromium, ConsoleSite, signInWith } from './console-site.js';
import { holdRequests } from './held-request.js';
import { pressByKey, tabTo } from './keyboard.js';

describe.skipIf(chromium === null)('the overview', () => {
  let site: ConsoleSite;
  let repair: () => void;
  let broken: string;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { events } = site;
    const { admin } = events.api;
    for (const name of ['Alpha', 'Beta']) await admin.patch((await events.destination()).path, { description: name });
    const destination = await events.destination();
    broken = destination.path;
    await admin.patch(broken, { description: 'Zulu' });
    repair = events.sandbox.script({ kind: 'deny', address: destination.arn });
    await events.publish(6);
    await until(async () => (await statusOf(broken)).pending === 6, 'six events wait');
  });
  afterAll(() => site.close());

  async function statusOf(path: string): Promise<JsonObject> {
    return (await site.events.api.admin.get(`${path}/status`)).body;
  }

  /** Returns the texts of the rows, in order. */
  async function rowsOf(page: Page): Promise<readonly string[]> {
    await page.getByRole('row', { name: /Zulu/ }).waitFor();
    return page.getByRole('grid').locator('[data-index]').allTextContents();
  }

  test('has the misconfigured destination first, with the reason, what waits and the last number', async () => {
    const page = await site.page({ role: 'auditor' });
    await page.getByText('Misconfigured', { exact: true }).last().waitFor();
    const rows = await rowsOf(page);
    expect(rows.map((row) => /Alpha|Beta|Zulu/.exec(row)?.[0])).toEqual(['Zulu', 'Alpha', 'Beta']);
    expect(rows[0]).toContain('Misconfigured');
    expect(rows[0]).toContain('Kinesis refused the credentials.');
    expect(rows[0]).toContain('AccessDeniedException');
    const cells = await page.getByRole('row', { name: /Zulu/ }).getByRole('gridcell').allTextContents();
    expect([cells[3], cells[5]]).toEqual(['6', String((await statusOf(broken)).last_sequence)]);
    // What waits is not lost.
    const lost = page.getByRole('term').filter({ hasText: 'Not delivered' });
    await lost.locator('..').getByText('0', { exact: true }).waitFor();
    expect(await lost.getByRole('link').getAttribute('href')).toBe('/console/not-delivered');
    expect(await page.getByText(/worker.* alive/).textContent()).toMatch(/^1 worker is alive · queues in Postgres/);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('changes by itself when the destination is repaired, and not while updates are paused', async () => {
    const { admin } = site.events.api;
    const [live, paused] = await Promise.all([site.page(), site.page()]);
    for (const page of [live, paused]) await page.getByText('Live', { exact: true }).waitFor();
    await paused.getByRole('button', { name: 'Stop updating' }).click();
    await paused.getByText('Not updated').waitFor();
    repair();
    // Any change of the destination ends the wait for the next try.
    await admin.patch(broken, { description: 'Zulu, repaired' });
    await live.getByRole('row', { name: /Zulu.*Healthy/ }).waitFor();
    expect(await paused.getByRole('row', { name: /Zulu/ }).textContent()).toContain('Misconfigured');
    await paused.getByRole('button', { name: 'Resume updating' }).click();
    await paused.getByRole('row', { name: /Zulu.*Healthy/ }).waitFor();
    expect([...site.complaintsOf(live), ...site.complaintsOf(paused)]).toEqual([]);
  });

  test('marks a destination that no subscription sends events to, and reads the subscriptions after the destinations', async () => {
    const { admin } = site.events.api;
    const create = (description: string) =>
      admin.create('/event_destinations', { description, target: { monitoring: { api_key: 'a'.repeat(32) } } });
    const [unnamed, empty] = [await create('Without a subscription'), await create('With an empty one')];
    const subscription = await admin.create('/event_subscriptions', { destination_ids: [empty.id], sources: [] });
    const page = await site.page({ role: null });
    const held = await holdRequests(page, 'GET', '/event_subscriptions');
    await signInWith(page, await site.keyOf('auditor'));
    const alpha = page.getByRole('row', { name: /Alpha/ });
    await alpha.getByText('nothing').waitFor();
    await held.sent;
    expect(await page.getByText('No events', { exact: true }).count()).toBe(0);
    held.release();
    for (const name of [/Without a subscription/, /With an empty one/]) {
      const row = page.getByRole('row', { name });
      await row.getByText('No events', { exact: true }).waitFor();
      await row.getByText('Healthy', { exact: true }).waitFor();
    }
    expect(await alpha.getByText('No events', { exact: true }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Filter the destinations' }).fill('no events');
    await page.getByText(/^2 of \d+ shown$/).waitFor();
    for (const { path } of [subscription, unnamed, empty]) await admin.delete(path);
    await page.getByText(/^0 of 3 shown$/).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('filters by text and state, in an address that can be passed on', async () => {
    const page = await site.page();
    await rowsOf(page);
    await page.keyboard.press('/');
    await page.keyboard.type('beta kinesis');
    await page.getByText('1 of 3 shown').waitFor();
    expect(new URL(page.url()).search).toBe('?q=beta+kinesis');
    await page.getByRole('button', { name: /^Paused/ }).click();
    await page.getByText('No destination matches').waitFor();

    const other = await site.page({ path: '/?q=ALPHA' });
    await other.getByText('1 of 3 shown').waitFor();
    await other.getByRole('searchbox', { name: 'Filter the destinations' }).press('Escape');
    await other.getByText('3 shown', { exact: true }).waitFor();
  });

  test('updates are paused and resumed, destinations sorted, filtered and opened by keyboard alone', async () => {
    const page = await site.page();
    await rowsOf(page);
    await pressByKey(page, page.getByRole('button', { name: 'Stop updating' }));
    await page.getByText('Not updated').waitFor();
    await pressByKey(page, page.getByRole('button', { name: 'Resume updating' }));
    await page.getByText('Live', { exact: true }).waitFor();

    const heading = page.getByRole('columnheader', { name: 'Destination' });
    await pressByKey(page, heading.getByRole('button'));
    await page.keyboard.press('Enter');
    expect(await heading.getAttribute('aria-sort')).toBe('descending');
    expect((await rowsOf(page)).map((row) => /Alpha|Beta|Zulu/.exec(row)?.[0])).toEqual(['Zulu', 'Beta', 'Alpha']);
    expect(new URL(page.url()).search).toBe('?sort=-name');
    await page.keyboard.press('/');
    await page.keyboard.type('beta');
    await page.getByText('1 of 3 shown').waitFor();
    await tabTo(page, page.getByRole('button', { name: /^Healthy/ }));
    await page.keyboard.press('Space');
    await page.waitForURL((url) => url.searchParams.get('state') === 'healthy');
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Beta' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('a connection that is lost is told, and made again by the keyboard', async () => {
    const page = await site.page();
    // The wait before the next try becomes hours: only the button connects again.
    await page.addInitScript('{ const random = Math.random; Math.random = () => random() + 10_000; }');
    const stream = /\/event_destinations\/status\/stream/;
    await page.route(stream, (route) => route.abort());
    await page.reload();
    await page.getByText('Not live', { exact: true }).waitFor();
    await page.getByText(/^Next attempt in \d+ h/).waitFor();
    await page.unroute(stream);
    await pressByKey(page, page.getByRole('button', { name: 'Reconnect' }));
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await rowsOf(page)).toHaveLength(3);
    expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0);
  });
});
