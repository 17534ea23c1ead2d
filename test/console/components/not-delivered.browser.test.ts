import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { holdRequests } from '../browser/held-request.js';
import { pressByKey, tabTo } from '../browser/keyboard.js';
import { openRecorded, Refusal, type Responses } from './recorded-console.js';
import { deliveryOf, idOf, listOf, statusOf, undeliveredOf } from './recorded-resources.js';

const alpha = statusOf(1, { description: 'Alpha' });
const beta = statusOf(2, { description: 'Beta' });
const GONE = idOf('ed', 3);

const deliveries = [
  deliveryOf(3, { state: 'expired', destination_id: beta.id, attempts: [], attempt_count: 0 }),
  deliveryOf(2, {
    state: 'rejected',
    destination_id: alpha.id,
    error: { code: 'ValidationException', message: 'Kinesis refused the event as malformed.' },
  }),
  deliveryOf(1, { state: 'rejected', destination_id: GONE }),
];

const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', [alpha, beta]),
  'GET /event_destinations/metrics': { destinations: [] },
  'GET /event_subscriptions': listOf('event_subscriptions'),
  'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [] },
  'GET /event_destinations/deliveries/counts': listOf('counts', [undeliveredOf(1), undeliveredOf(2), undeliveredOf(3)]),
  // As the API filters.
  'GET /event_destinations/deliveries': (_body, { searchParams }) => ({
    deliveries: deliveries.filter(({ state, destination_id: id }) => {
      const [wanted, destination] = [searchParams.get('state'), searchParams.get('destination_id')];
      return (wanted === null || wanted === state) && (destination === null || destination === id);
    }),
    uri: '',
    next_page_uri: null,
  }),
};

const rows = (page: Page) => page.getByRole('grid', { name: 'Not delivered' }).locator('[data-index]');

async function expectRows(page: Page, count: number): Promise<void> {
  await page.getByText(`${count} ${count === 1 ? 'delivery' : 'deliveries'}, all that match`).waitFor();
  expect(await rows(page).count()).toBe(count);
}

describe.skipIf(chromium === null)('what was not delivered', () => {
  test('the overview has their number, and the list has why each was not delivered', async () => {
    const { page } = await openRecorded('/', responses);
    const fact = page.getByRole('term').filter({ hasText: 'Not delivered' });
    await fact.locator('..').getByText('3', { exact: true }).waitFor();
    await fact.getByRole('link').click();
    await expectRows(page, 3);
    await page.getByText('deleted destination').waitFor();
    const [expired, rejected, deleted] = await rows(page).allTextContents();
    for (const text of ['ip_policy_created.v0', 'Beta', 'Expired']) expect(expired).toContain(text);
    for (const text of [
      'Alpha',
      'Rejected',
      idOf('evt', 2),
      'Kinesis refused the event as malformed.ValidationException',
    ])
      expect(rejected).toContain(text);
    expect(deleted).toContain(GONE);
    expect(await rows(page).nth(2).getByRole('link').count()).toBe(1);
    await expectAccessible(page);
  });

  test('selected deliveries are redelivered, to each of their destinations', async () => {
    let listed = deliveries;
    const { page, changes } = await openRecorded('/not-delivered', {
      ...responses,
      'GET /event_destinations/deliveries': () => listOf('deliveries', listed),
      [`POST /event_destinations/${alpha.id}/redeliveries`]: () => {
        listed = [];
        return { count: 1, next_from: null };
      },
      [`POST /event_destinations/${beta.id}/redeliveries`]: { count: 1, next_from: null },
    });
    await expectRows(page, 3);
    for (const number of [3, 2])
      await page.getByRole('checkbox', { name: `Select ip_policy_created.v0 ${idOf('evt', number)}` }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Redeliver the selected' }).click();
    // The result stays when nothing else is listed.
    await page.getByRole('heading', { name: 'Every event that has ended was delivered' }).waitFor();
    await page.getByText('2 queued again.').waitFor();
    await page.getByRole('button', { name: 'Redeliver since a time' }).and(page.locator(':focus')).waitFor();
    expect(changes).toEqual([
      { operation: `POST /event_destinations/${beta.id}/redeliveries`, body: { event_ids: [idOf('evt', 3)] } },
      { operation: `POST /event_destinations/${alpha.id}/redeliveries`, body: { event_ids: [idOf('evt', 2)] } },
    ]);
  });

  test('selected deliveries are redelivered also when a destination among them is deleted', async () => {
    const { page, changes } = await openRecorded('/not-delivered', {
      ...responses,
      'GET /event_destinations/deliveries': listOf('deliveries', deliveries.toReversed()),
      [`POST /event_destinations/${GONE}/redeliveries`]: new Refusal(404, {
        error_code: 'not_found',
        detail: 'There is no such event destination.',
      }),
      [`POST /event_destinations/${alpha.id}/redeliveries`]: { count: 1, next_from: null },
      [`POST /event_destinations/${beta.id}/redeliveries`]: { count: 1, next_from: null },
    });
    await expectRows(page, 3);
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click();
    await page.getByRole('button', { name: 'Redeliver the selected' }).click();
    await page.getByRole('alert').getByText('There is no such event destination.').waitFor();
    expect(changes.map(({ operation }) => operation)).toEqual(
      [GONE, alpha.id, beta.id].map((id) => `POST /event_destinations/${id}/redeliveries`),
    );
  });

  test('the destinations of selected deliveries are paused, and that is undone', async () => {
    const { page, changes } = await openRecorded('/not-delivered', {
      ...responses,
      [`PATCH /event_destinations/${alpha.id}`]: { id: alpha.id },
      [`PATCH /event_destinations/${beta.id}`]: { id: beta.id },
    });
    await expectRows(page, 3);
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click();
    const pause = page.getByRole('button', { name: 'Pause their destinations' });
    await pause.click();
    await page.getByLabel('Reason').fill('test');
    await page.getByRole('button', { name: 'Pause 2 destinations' }).click();
    await page.getByText('2 of 2 destinations paused.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 of 2 destinations restored.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await pause.and(page.locator(':focus')).waitFor();
    const [done, undone] = [{ paused: { reason: 'test' } }, { paused: null }];
    expect(changes.map(({ body }) => body)).toEqual([done, done, undone, undone]);
  });

  test('the list is filtered by state and destination, in an address that can be passed on', async () => {
    const { page } = await openRecorded('/not-delivered', responses);
    await expectRows(page, 3);
    await page.getByRole('button', { name: 'Rejected', exact: true }).click();
    await expectRows(page, 2);
    expect(new URL(page.url()).search).toBe('?state=rejected');
    await page.getByLabel('Destination').selectOption(beta.id);
    await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
    expect(await page.getByLabel('Destination').inputValue()).toBe(beta.id);
    await page.getByRole('button', { name: 'Clear the filters' }).first().click();
    await expectRows(page, 3);
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('grid').getByRole('link', { name: 'Beta' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(beta.id) && url.search === '?tab=deliveries&state=expired');
  });

  test('the list is reached, filtered and read, and the event of the focused row opened, by keyboard alone', async () => {
    let isOneMore = false;
    const { page } = await openRecorded('/', {
      ...responses,
      'GET /event_destinations/deliveries': () => {
        const expired = deliveries.filter(({ state }) => state === 'expired');
        const newer = deliveryOf(4, { state: 'expired' });
        return listOf('deliveries', isOneMore ? [newer, ...expired] : expired);
      },
    });
    await page.clock.install();
    await page.getByText('2 shown').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
    await page.keyboard.type('not deliv');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectRows(page, 1);
    await pressByKey(page, page.getByRole('button', { name: 'Expired', exact: true }));
    await page.waitForURL((url) => url.search === '?state=expired');
    await expectRows(page, 1);
    await tabTo(page, rows(page).first());
    isOneMore = true;
    await page.clock.fastForward(10_000);
    await expectRows(page, 2);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/console/events/${idOf('evt', 3)}`);
  });

  test('an empty list says what that means, since when, and where waiting events are, once it is read', async () => {
    const empty = { ...listOf('deliveries'), complete_since: '2026-02-03T04:05:06Z' };
    let response: object = empty;
    const { page, complaints } = await openRecorded('/not-delivered', {
      ...responses,
      'GET /event_destinations/deliveries': () => response,
    });
    await page.clock.install();
    const heading = page.getByRole('heading', { name: 'Every event that has ended was delivered' });
    await heading.waitFor();
    await page.getByText(/Complete since .*2026/).waitFor();
    response = new Refusal(403, { error_code: 'role_not_allowed', detail: 'Refused.', operation_id: 'op_1' });
    await page.getByRole('link', { name: 'Events that wait, on the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const held = await holdRequests(page, 'GET', '/event_destinations/deliveries');
    // What was read until then is no longer fresh.
    await page.clock.fastForward(6_000);
    await page.goBack();
    await page.getByText('Reading the deliveries').waitFor();
    expect(await heading.count()).toBe(0);
    held.release();
    await page.getByText('The deliveries could not be read').waitFor();
    expect(await heading.count()).toBe(0);
    response = empty;
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading.waitFor();
    expect(complaints).toEqual([]);
  });
});
