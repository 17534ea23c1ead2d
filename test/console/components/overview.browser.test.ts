import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { holdRequests } from '../browser/held-request.js';
import { openRecorded, Refusal, type Responses } from './recorded-console.js';
import { idOf, listOf, statusOf, undeliveredOf } from './recorded-resources.js';

const error = { code: 'AccessDenied', message: 'The target denies access.', at: '2026-11-20T08:00:00.000Z' };
const statuses = [
  statusOf(1, { description: 'Alpha' }),
  statusOf(2, { description: 'Beta' }),
  statusOf(3, { description: 'Gamma', status: 'misconfigured', last_error: error }),
];
const lost = undeliveredOf(2, {
  rejected: 12,
  expired: 3,
  reasons: [
    { state: 'rejected', code: 'Malformed', message: 'The record was refused.', count: 12 },
    { state: 'expired', code: 'AccessDenied', message: 'The target denied access.', count: 3 },
  ],
});

const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', statuses),
  'GET /event_destinations/metrics': { destinations: [] },
  'GET /event_destinations/deliveries/counts': listOf('counts', [lost]),
  'GET /event_subscriptions': listOf('event_subscriptions'),
  'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [] },
};

/** Returns the names of the destinations that are shown, in order. */
async function shown(page: Page, count: number): Promise<readonly (string | undefined)[]> {
  await page.getByText(count === statuses.length ? `${count} shown` : `${count} of ${statuses.length} shown`).waitFor();
  const rows = await page.getByRole('grid', { name: 'Destinations' }).locator('[data-index]').allTextContents();
  return rows.map((row) => /Alpha|Beta|Gamma/.exec(row)?.[0]);
}

describe.skipIf(chromium === null)('the overview', () => {
  test('says at a healthy destination how many events it did not receive, and why', async () => {
    const { page, complaints } = await openRecorded('/', responses);
    const row = page.getByRole('row', { name: /Beta/ });
    const link = row.getByRole('link', { name: '12 rejected, 3 expired' });
    await link.waitFor();
    expect(await row.textContent()).toContain('The record was refused.');
    expect(await row.textContent()).not.toContain('nothing');
    expect(await shown(page, 3)).toEqual(['Gamma', 'Beta', 'Alpha']);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    expect(await link.getAttribute('href')).toBe(`/console/not-delivered?destination_id=${lost.id}`);
  });

  test('says a reason once where a destination fails for what it did not receive', async () => {
    const reasons = [{ state: 'expired' as const, code: error.code, message: error.message, count: 1 }];
    const { page } = await openRecorded('/', {
      ...responses,
      'GET /event_destinations/deliveries/counts': listOf('counts', [
        undeliveredOf(1, { rejected: 0, expired: 1, reasons }),
        undeliveredOf(3, { rejected: 0, expired: 1, reasons }),
      ]),
    });
    for (const name of [/Alpha/, /Gamma/]) {
      const row = page.getByRole('row', { name });
      await row.getByRole('link', { name: '1 expired' }).waitFor();
      expect(await row.getByText(error.message).count()).toBe(1);
    }
  });

  test('shows no destination before a recovery that would move it down', async () => {
    const { page } = await openRecorded('/', responses);
    await shown(page, 3);
    const recoveries = await holdRequests(page, 'GET', '/recoveries');
    // They are read when the destinations are known.
    const subscriptions = page.waitForResponse((response) => response.url().includes('/event_subscriptions'));
    await page.reload();
    await Promise.all([recoveries.sent, subscriptions]);
    await page.getByText('Reading the destinations').waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    recoveries.release();
    await shown(page, 3);
  });

  test('keeps the destinations while a recovery is read again that could not be read', async () => {
    const { page } = await openRecorded('/', {
      ...responses,
      'GET /event_destinations/recoveries': new Refusal(403, { error_code: 'forbidden', detail: 'No.' }),
    });
    await shown(page, 3);
    const recoveries = await holdRequests(page, 'GET', '/recoveries');
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await recoveries.sent;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.getByRole('grid').count()).toBe(1);
    recoveries.release();
  });

  test('filters by what was not delivered and by cause, in an address that can be passed on', async () => {
    const { page } = await openRecorded('/', responses);
    await page.getByRole('button', { name: 'Rejected or expired 1' }).click();
    expect(await shown(page, 1)).toEqual(['Beta']);
    await page.getByRole('button', { name: 'Rejected or expired 1' }).click();
    await page.getByRole('group', { name: 'Causes' }).getByRole('button', { name: 'AccessDenied 2' }).click();
    expect(await shown(page, 2)).toEqual(['Gamma', 'Beta']);
    await page.reload();
    expect(await shown(page, 2)).toEqual(['Gamma', 'Beta']);
    await page.getByRole('button', { name: 'Malformed 1' }).click();
    expect(await shown(page, 1)).toEqual(['Beta']);
  });

  test('pauses many at once, says which were not paused and why, and undoes it', async () => {
    const paused = new Refusal(409, { error_code: 'destination_paused', detail: 'It is paused already.' });
    const { page, changes } = await openRecorded('/', {
      ...responses,
      ...Object.fromEntries(statuses.map(({ id }) => [`PATCH /event_destinations/${id}`, { id }])),
      [`PATCH /event_destinations/${statuses[1]?.id}`]: paused,
    });
    await page.getByRole('row', { name: /Beta/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click();
    await page.getByText('3 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Alpha' }).click();
    const many = page.getByRole('group', { name: 'Actions for many' });
    await many.getByText('2 selected').waitFor();
    await many.getByRole('button', { name: 'Pause' }).click();
    await page.getByLabel('Reason').fill('The account is moved.');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pause 2 destinations' }).click();
    await page.getByText('1 of 2 destinations paused.').waitFor();
    await page.getByRole('list', { name: 'Not done' }).getByText('It is paused already.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 of 1 destination restored.').waitFor();
    const bodies = changes.map(({ operation, body }) => [operation.slice(operation.lastIndexOf('/') + 1), body]);
    const reason = { paused: { reason: 'The account is moved.' } };
    expect(bodies).toEqual([
      [statuses[2]?.id, reason],
      [statuses[1]?.id, reason],
      [statuses[2]?.id, { paused: null }],
    ]);
  });

  test('mutes many at once with one reason and an end, lists who muted what, and undoes it', async () => {
    const principal = { id: idOf('usr', 1), subject: 'Grace', credential_id: null };
    const muted = { reason: 'See OPS-512.', until: '2126-12-01T08:00:00.000Z', since: error.at, principal };
    const [alpha, beta, gamma] = statuses.map(({ id }) => id);
    const changed = new Map<string, object | null>();
    const ids = [beta, gamma].filter((id) => id !== undefined);
    const { page, changes } = await openRecorded('/', {
      ...responses,
      ...Object.fromEntries(
        ids.map((id) => [
          `PATCH /event_destinations/${id}`,
          (body: unknown) => {
            changed.set(id, Object(body).muted === null ? null : muted);
            return { id };
          },
        ]),
      ),
      'GET /event_destinations/status': () =>
        listOf(
          'statuses',
          statuses.map((one) => ({ ...one, muted: changed.get(one.id) ?? null })),
        ),
    });
    await page.getByRole('link', { name: '12 rejected, 3 expired' }).waitFor();
    expect(await shown(page, 3)).toEqual(['Gamma', 'Beta', 'Alpha']);
    const broken = page.locator('div:has(> dt)', { hasText: 'Misconfigured or retrying' }).locator('dd');
    expect(await broken.textContent()).toBe('1');
    for (const name of ['Beta', 'Gamma']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    const many = page.getByRole('group', { name: 'Actions for many' });
    await many.getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByLabel('Reason').fill(muted.reason);
    await page.getByLabel('Until').fill('2126-12-01T08:00:00');
    await page.getByRole('button', { name: 'Mute 2 destinations' }).click();
    await page.getByText('2 of 2 destinations muted.').waitFor();
    expect(changes.map(({ body }) => body)).toEqual([
      { muted: { reason: muted.reason, until: muted.until } },
      { muted: { reason: muted.reason, until: muted.until } },
    ]);
    await page.getByRole('button', { name: 'Close' }).click();
    await many.getByRole('button', { name: 'Mute', exact: true }).and(page.locator(':focus')).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /Gamma.*Muted by Grace until .*: See OPS-512\./s }).waitFor();
    expect(await broken.textContent()).toBe('0 + 1 muted');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Muted 2' }).click();
    expect(await shown(page, 2)).toEqual(['Gamma', 'Beta']);
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click();
    await many.getByRole('button', { name: 'Unmute' }).click();
    await page.getByRole('button', { name: 'Unmute 2 destinations' }).click();
    await page.getByText('2 of 2 destinations unmuted.').waitFor();
    expect(alpha !== undefined && changed.has(alpha)).toBe(false);
    expect([...changed.values()]).toEqual([null, null]);
  });

  test('redelivers to a selected destination, and not to all when it is deleted meanwhile', async () => {
    let listed = statuses;
    const recorded = { ...responses, 'GET /event_destinations/status': () => listOf('statuses', listed) };
    const { page } = await openRecorded('/', recorded, { clock: true });
    await page.getByRole('checkbox', { name: 'Select Beta' }).click();
    await page.getByRole('group', { name: 'Actions for many' }).getByRole('button', { name: 'Redeliver' }).click();
    const dialog = page.getByRole('dialog', { name: 'Redeliver to 1 selected' });
    await dialog.getByText('15', { exact: true }).waitFor();
    listed = statuses.filter(({ id }) => id !== lost.id);
    await page.clock.fastForward(15_000);
    await dialog.getByText('There is nothing to redeliver.').waitFor();
    expect(await dialog.getByRole('heading').textContent()).toBe('Redeliver to 1 selected');
  });

  test('says that there may be more destinations than it shows, and counts what all others did not receive', async () => {
    const followed = Array.from({ length: 5_000 }, (_, index) => statusOf(10_000 + index));
    const { page } = await openRecorded('/', {
      ...responses,
      'GET /event_destinations/status': listOf('statuses', followed),
    });
    await page.getByText('The newest 5,000 destinations are shown and counted. There may be more').waitFor();
    const many = page.getByRole('group', { name: 'Actions for many' });
    await many.getByRole('button', { name: 'Redeliver to all' }).click();
    await page.getByRole('button', { name: 'Redeliver 15' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click();
    await many.getByRole('button', { name: 'Redeliver' }).click();
    const dialog = page.getByRole('dialog', { name: 'Redeliver to 5,000 selected' });
    await dialog.getByText('At most 1,000 destinations at a time.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Redeliver' }).isEnabled()).toBe(false);
  });

  test('redelivers to all destinations since a time, with the number before and the progress after', async () => {
    const recovery = {
      id: idOf('rcv', 1),
      uri: '',
      state: 'running',
      from: '2026-11-19T08:00:00.000Z',
      to: '2026-11-20T08:00:00.000Z',
      states: ['rejected', 'expired'],
      destination_ids: null,
      events_total: 15,
      events_redelivered: 4,
      destinations_done: 0,
      principal: { id: idOf('usr', 1), subject: 'Grace' },
      created_at: '2026-11-20T08:00:00.000Z',
      finished_at: null as string | null,
    };
    let requested = false;
    const { page, changes } = await openRecorded('/', {
      ...responses,
      'GET /event_destinations/deliveries/counts': listOf('counts', [lost, undeliveredOf(9)]),
      'GET /event_destinations/recoveries': () => listOf('recoveries', requested ? [recovery] : []),
      'POST /event_destinations/recoveries': () => {
        requested = true;
        return recovery;
      },
    });
    // What a deleted destination did not receive is not redelivered.
    await page.getByRole('button', { name: 'Redeliver to all' }).click();
    await page.getByRole('dialog').getByText('15', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Redeliver 15' }).click();
    const line = page.getByRole('region', { name: 'Redelivery' });
    await line.getByText('4 of 15').waitFor();
    expect(changes.map(({ body }) => body)).toEqual([
      { from: expect.stringMatching(/^20.*Z$/) as string, states: ['rejected', 'expired'] },
    ]);
    await page.reload();
    await line.getByText('4 of 15').waitFor();
    expect(await line.textContent()).toContain('Grace redelivers rejected and expired events since');
    await expectAccessible(page);
    recovery.finished_at = new Date().toISOString();
    await page.reload();
    await line.getByText('events were queued again').waitFor();
    expect(await line.textContent()).toContain('Grace redelivered rejected and expired events since');
  });
});
