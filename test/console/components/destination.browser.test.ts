import type { Backfill, Delivery, EventDestination, EventSubscription } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { holdRequests } from '../browser/held-request.js';
import { pressByKey, tabTo } from '../browser/keyboard.js';
import { adminSession, openRecorded, Refusal, type Responses } from './recorded-console.js';
import { deliveryOf, idOf, listOf, statusOf } from './recorded-resources.js';

const lake = statusOf(1, { description: 'Security lake' });
const PATH = `/event_destinations/${lake.id}`;
const NOW = '2026-11-20T08:00:00.000Z';

const destination: EventDestination = {
  id: lake.id,
  uri: PATH,
  created_at: NOW,
  description: 'Security lake',
  metadata: null,
  format: 'json',
  target: {
    data_stream: {
      auth: { creds: { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: null }, role: null },
      stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/lake',
      records: 'one_event',
    },
    delivery_stream: null,
    log_group: null,
    monitoring: null,
    log_ingestion: null,
  },
  paused: null,
  muted: null,
};

/** Of the numbers 1 to 7, the third and the fourth have expired, and the sixth has no delivery. */
const deliveries: readonly Delivery[] = [7, 5, 4, 3, 2, 1].map((number) =>
  deliveryOf(number, number === 3 || number === 4 ? { state: 'expired' } : {}),
);

const counts = {
  attempts: 5,
  delivered: 4,
  retried: 1,
  rejected: 0,
  expired: 2,
  latency_p50_ms: 40,
  latency_p99_ms: 90,
  batch_size_mean: 1,
  batch_size_max: 2,
};

function subscriptionOf(number: number, members: Partial<EventSubscription> = {}): EventSubscription {
  const id = idOf('esb', number);
  return {
    id,
    uri: `/event_subscriptions/${id}`,
    created_at: NOW,
    description: null,
    metadata: null,
    sources: [],
    destinations: [{ id: lake.id, uri: PATH }],
    ...members,
  };
}

/** Lists deliveries as the API filters them. */
function listed(_body: unknown, { searchParams }: URL) {
  const is = (name: string, value: unknown): boolean => [null, String(value)].includes(searchParams.get(name));
  const [from, to] = [searchParams.get('sequence_from'), searchParams.get('sequence_to')];
  const before = Number(searchParams.get('before_id')?.slice('dlv_'.length) ?? Infinity);
  const found = deliveries.filter(
    ({ id, state, event_type: type, sequence }) =>
      is('state', state) &&
      is('type', type) &&
      Number(sequence) >= Number(from ?? 1) &&
      Number(sequence) <= Number(to ?? Infinity) &&
      Number(id.slice('dlv_'.length)) < before,
  );
  return listOf('deliveries', found.slice(0, Number(searchParams.get('limit') ?? 100)));
}

const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', [lake]),
  [`GET ${PATH}`]: destination,
  [`GET ${PATH}/status`]: lake,
  [`GET ${PATH}/deliveries`]: listed,
  [`GET ${PATH}/backfills`]: listOf('backfills'),
  [`GET ${PATH}/events`]: listOf('events'),
  [`GET ${PATH}/metrics`]: {
    uri: '',
    step: '1m',
    from: NOW,
    to: NOW,
    complete_until: NOW,
    total: counts,
    steps: ['07:58', '07:59'].map((time) => ({ from: `2026-11-20T${time}:00.000Z`, ...counts })),
  },
  'GET /event_subscriptions': listOf('event_subscriptions', [
    subscriptionOf(1, { sources: [{ type: 'ip_policy_created.v0', uri: '' }] }),
  ]),
  'GET /event_types': listOf('event_types'),
};

const open = (search = '', more: Responses = {}) =>
  openRecorded(`/destinations/${lake.id}${search}`, { ...responses, ...more });

const searchOf = (page: Page) => new URL(page.url()).search;

describe.skipIf(chromium === null)('the ribbon of a destination', () => {
  const states = (page: Page) => page.getByRole('list', { name: 'States of the sequences' });
  const ribbonOf = (page: Page) => page.getByRole('slider', { name: 'Sequence ribbon' });

  async function endsOf(page: Page): Promise<readonly (string | null)[]> {
    const ribbon = ribbonOf(page);
    return [await ribbon.getAttribute('aria-valuemin'), await ribbon.getAttribute('aria-valuemax')];
  }

  test('names expired and missing numbers, and the mouse zooms to each of them, and out again', async () => {
    const { page, complaints } = await open();
    await states(page).getByText('1 missing').waitFor();
    expect(await states(page).getByRole('listitem').allTextContents()).toEqual([
      '1 missing',
      '2 expired',
      '4 delivered',
    ]);
    await page.getByRole('alert').getByText('1 sequence has no delivery: 6.').waitFor();
    await expectAccessible(page);

    const ribbon = ribbonOf(page);
    const moveTo = async (number: number): Promise<void> => {
      const { width, height } = (await ribbon.boundingBox()) ?? { width: 0, height: 0 };
      await ribbon.hover({ position: { x: ((number - 0.5) / 7) * width, y: height / 2 } });
    };
    await moveTo(4);
    expect(await ribbon.getAttribute('aria-valuetext')).toBe('Sequence 4: expired');
    const zoomIn = page.getByRole('button', { name: 'Zoom in', exact: true });
    while (await zoomIn.isEnabled()) await zoomIn.click();
    // A button that is disabled when it was pressed keeps the focus.
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Zoom in');
    expect(await endsOf(page)).toEqual(['4', '4']);
    await ribbon.click();
    await page.getByRole('region', { name: 'Sequence 4' }).getByText('Expired', { exact: true }).first().waitFor();

    await page.getByRole('button', { name: 'All', exact: true }).click();
    await states(page).getByText('1 missing').waitFor();
    await moveTo(6);
    expect(await ribbon.getAttribute('aria-valuetext')).toBe('Sequence 6: missing');
    await page.mouse.down();
    await page.mouse.up();
    const missing = page.getByRole('region', { name: 'Sequence 6' });
    await missing.getByText('No delivery has this sequence. It is missing').waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Reconcile' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reconcile' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Destination' }).inputValue()).toBe(lake.id);
    expect(complaints).toEqual([]);
  });

  test('calls no number missing that was given back after the page knew of it', async () => {
    const { page, complaints } = await open('?number=9', {
      'GET /event_destinations/status': listOf('statuses', [{ ...lake, last_sequence: 9 }]),
      [`GET ${PATH}/status`]: { ...lake, last_sequence: 8 },
    });
    await page.getByRole('alert').getByText('2 sequences have no delivery: 6, 8.').waitFor();
    await page.getByText('It was given back').waitFor();
    expect(complaints).toEqual([]);
  });

  test('is walked to expired and missing numbers, zoomed and left for Reconcile by keyboard alone', async () => {
    const { page } = await open();
    await states(page).getByText('1 missing').waitFor();
    const ribbon = ribbonOf(page);
    await tabTo(page, ribbon);
    await page.keyboard.press('Home');
    const walked: (string | null)[] = [];
    for (let number = 1; number <= 7; number += 1) {
      walked.push(await ribbon.getAttribute('aria-valuetext'));
      await page.keyboard.press('ArrowRight');
    }
    expect(walked.map((text) => text?.replace(/^Sequence \d: /, ''))).toEqual([
      'delivered',
      'delivered',
      'expired',
      'expired',
      'delivered',
      'missing',
      'delivered',
    ]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('+');
    await expect.poll(() => endsOf(page)).toEqual(['6', '6']);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Sequence 6' }).getByText('It is missing').waitFor();
    await pressByKey(page, page.getByRole('button', { name: 'Close the sequence' }));
    await ribbon.focus();
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await expect.poll(() => endsOf(page)).toEqual(['1', '7']);
    await page.getByRole('spinbutton', { name: 'Sequence' }).fill('2');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Sequence 2' }).getByText('Delivered').first().waitFor();
    await pressByKey(page, page.getByRole('alert').getByRole('link', { name: 'Reconcile' }));
    await page.waitForURL((url) => url.searchParams.get('destination') === lake.id);
  });
});

test.skipIf(chromium === null)('the page of another destination shows nothing of the one before', async () => {
  const other = statusOf(2, { description: 'Other lake' });
  const path = `/event_destinations/${other.id}`;
  const { page } = await openRecorded(`/destinations/${other.id}?tab=settings`, {
    ...responses,
    'GET /event_destinations/status': listOf('statuses', [lake, other]),
    [`GET ${path}`]: { ...destination, id: other.id, uri: path, description: 'Other lake' },
    [`GET ${path}/status`]: other,
    [`GET ${path}/deliveries`]: listOf('deliveries'),
    [`GET ${path}/backfills`]: listOf('backfills'),
    [`GET ${path}/events`]: listOf('events'),
    [`GET ${path}/metrics`]: responses[`GET ${PATH}/metrics`] ?? {},
  });
  const goTo = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).fill(name);
    await page.getByRole('option', { name }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const delivered = page.getByText('4 delivered', { exact: true });
  await page.getByRole('button', { name: 'Change the destination' }).waitFor();
  await goTo('Security lake');
  await delivered.waitFor();
  const held = await holdRequests(page, 'GET', `${path}/deliveries`);
  await goTo('Other lake');
  await page.getByText('Reading the sequences').waitFor();
  expect(await delivered.count()).toBe(0);
  held.release();
  await page.getByText('7 missing', { exact: true }).waitFor();
});

describe.skipIf(chromium === null)('the page of a destination', () => {
  test('has charts of the chosen time, in an address that can be passed on', async () => {
    const { page, complaints } = await open();
    await page.getByRole('button', { name: '7 d' }).click();
    await page.getByRole('button', { name: '7 d', pressed: true }).waitFor();
    expect(searchOf(page)).toBe('?range=7d');
    for (const title of ['Delivered and failed', 'Latency', 'Batch size']) {
      await page.getByRole('img', { name: new RegExp(`^${title}: `) }).waitFor();
    }
    const step = page.getByRole('slider', { name: 'Step' });
    const newest = await step.getAttribute('aria-valuetext');
    await step.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await step.getAttribute('aria-valuetext')).not.toBe(newest);
    expect(await step.getAttribute('aria-valuetext')).toContain('Delivered and failed: 4 delivered, 3 failed');
    expect(complaints).toEqual([]);
  });

  test('leads from the numbers of rejected and expired deliveries to them', async () => {
    const { page } = await open();
    const state = page.getByRole('region', { name: 'State' });
    const fact = (name: string) => state.getByRole('term').filter({ hasText: name }).locator('..');
    await fact('Expired').getByText('2', { exact: true }).waitFor();
    await fact('Rejected').getByText('0', { exact: true }).waitFor();
    await state.getByRole('link', { name: 'Expired' }).click();
    await page.getByText('2 deliveries, all that match.').waitFor();
    expect(searchOf(page)).toBe('?tab=deliveries&state=expired');
    expect(await page.getByRole('grid').locator('[data-index]').count()).toBe(2);
  });

  test('has an open delivery in the address: Back closes it, and the link opens it where no list has it', async () => {
    const { page, complaints } = await open('?tab=deliveries&state=delivered');
    const dialog = page.getByRole('dialog');
    await page.getByRole('gridcell', { name: 'Delivered' }).first().click();
    await dialog.getByRole('heading', { name: 'Sequence 7: ip_policy_created.v0' }).waitFor();
    expect(new URL(page.url()).searchParams.get('delivery')).toBe('dlv_7');
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(searchOf(page)).toBe('?tab=deliveries&state=delivered');
    await page.goForward();
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(searchOf(page)).toBe('?tab=deliveries&state=delivered');

    // A delivered one is not in the list of expired ones.
    const below = `${new URL(page.url()).pathname}?tab=deliveries&state=expired`;
    await page.goto(new URL(`${below}&delivery=dlv_2`, page.url()).href);
    await dialog.getByRole('heading', { name: 'Sequence 2: ip_policy_created.v0' }).waitFor();
    await dialog.getByRole('link', { name: idOf('evt', 2) }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(searchOf(page)).toBe('?tab=deliveries&state=expired');
    for (const wrong of ['dlv_99999999999999', 'elsewhere']) {
      await page.goto(new URL(`${below}&delivery=${wrong}`, page.url()).href);
      await dialog.getByText(`This destination has no delivery with the id ${wrong}.`).waitFor();
    }
    expect(complaints).toEqual([]);
  });

  test('marks the rows of another filter as old until those of the new one are read, and clears the filter', async () => {
    const { page } = await open('?tab=deliveries');
    const grid = page.getByRole('grid', { name: 'Deliveries' });
    await grid.waitFor();
    const held = await holdRequests(page, 'GET', '/deliveries');
    await page.getByRole('button', { name: 'Rejected', exact: true }).click();
    await page.getByText('Reading…').waitFor();
    expect(await grid.getAttribute('aria-busy')).toBe('true');
    expect(await page.getByText('No delivery matches').count()).toBe(0);
    held.release();
    await page.getByText('No delivery matches').waitFor();
    expect(await page.getByText('Reading…').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear the filters' }).last().click();
    await grid.waitFor();
    expect(searchOf(page)).toBe('?tab=deliveries');
  });

  test('filters its deliveries by a time that is typed, and not by half of it', async () => {
    const { page, complaints } = await open('?tab=deliveries&from=2026-11-20T09:00:00.000Z');
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.getByLabel('Events from').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2025');
    await page.waitForURL((url) => url.searchParams.get('from') === '2025-11-20T09:00:00.000Z');
    expect(addresses.filter((address) => address.includes('from=0'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('leads to each of its subscriptions where none has an event type', async () => {
    const [first, second] = [subscriptionOf(1, { description: 'First' }), subscriptionOf(2)];
    let now = first;
    const { page, complaints } = await open('', {
      'GET /event_subscriptions': listOf('event_subscriptions', [first, second]),
      [`GET /event_subscriptions/${first.id}`]: () => now,
    });
    await page.getByText('It receives no events: none of its 2 subscriptions has an event type.').waitFor();
    await page.getByRole('link', { name: `Change ${second.id}`, exact: true }).waitFor();
    const change = page.getByRole('link', { name: 'Change First', exact: true });
    await change.click();
    await page.waitForURL((url) => url.pathname.endsWith(`/subscriptions/${first.id}`));
    await page.getByText('First · ').waitFor();
    // The form is of the version that is read when it is opened, not of an earlier one.
    now = { ...first, description: 'Renamed' };
    await page.goBack();
    await change.click();
    await page.getByText('Renamed · ').waitFor();
    expect(complaints).toEqual([]);
  });

  test('offers no backfill that would send nothing, and ends counts that nobody waits for', async () => {
    const backfillOf = (number: number, types: readonly string[], total: number): Backfill => ({
      id: idOf('bf', number),
      uri: '',
      destination: { id: lake.id, uri: PATH },
      state: 'finished',
      from: '2026-01-01T00:00:00Z',
      to: NOW,
      types: [...types],
      filter: null,
      events_per_second: 100,
      dry_run: true,
      complete_since: null,
      repeats_before: null,
      events_total: total,
      events_counted: total,
      reached_at: NOW,
      counted_at: NOW,
      finished_at: NOW,
      waiting_for: null,
      events_queued: 0,
      events_skipped: 0,
      created_at: NOW,
    });
    // The delivery of one of its seven events was lost; the other types have none, and as many as there are deliveries.
    const counted = [
      backfillOf(1, ['ip_policy_created.v0'], 7),
      backfillOf(2, ['ip_policy_created.v0'], 6),
      backfillOf(3, ['ip_policy_created.v0'], 0),
    ];
    const endless: Backfill = { ...backfillOf(4, [], 0), state: 'counting', events_total: null, finished_at: null };
    const { page, changes } = await open('', {
      ...Object.fromEntries(
        [...counted, endless].flatMap((one) => [
          [`GET ${PATH}/backfills/${one.id}`, one],
          [`POST ${PATH}/backfills/${one.id}/cancel`, { ...one, state: 'cancelled' }],
        ]),
      ),
      [`POST ${PATH}/backfills`]: () => counted[changes.length - 1] ?? endless,
    });
    await page.getByRole('button', { name: 'Backfill', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Backfill earlier events to / });
    await dialog.getByLabel('Events from').fill('2026-01-01T00:00');
    const count = () => dialog.getByRole('button', { name: 'Count the events' }).click();
    const send = dialog.getByRole('button', { name: /^Send/ });
    await count();
    await dialog.getByRole('button', { name: 'Send up to 7 events' }).waitFor();
    await dialog.getByText('possibly all of them').waitFor();

    await dialog.getByLabel('Event types').fill('ip_policy_created.v0');
    await count();
    await dialog.getByText('Each has a delivery to this destination already').waitFor();
    await dialog.getByText('There is nothing new to send.').waitFor();
    expect(await send.isDisabled()).toBe(true);

    await dialog.getByLabel('Events to').fill('2026-01-01T00:01');
    await count();
    await dialog.getByText('No event matches: there is nothing to send.').waitFor();
    expect(await send.isDisabled()).toBe(true);
    expect(changes.map(({ operation }) => operation)).toEqual(counted.map(() => `POST ${PATH}/backfills`));

    const made = `POST ${PATH}/backfills`;
    const cancelled = `${made}/${endless.id}/cancel`;
    const later = () => changes.slice(counted.length).map(({ operation }) => operation);
    const held = await holdRequests(page, 'POST', '/backfills');
    await count();
    await held.sent;
    await dialog.getByLabel('Events to').fill('2026-01-01T00:02');
    held.release();
    await expect.poll(later).toEqual([made, cancelled]);
    await count();
    await dialog.getByText('Counting the events').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(later).toEqual([made, cancelled, made, cancelled]);
  });

  test('names its metadata, and shows it as it was given', async () => {
    const { page } = await open('?tab=settings', {
      [`GET ${PATH}`]: { ...destination, metadata: '{"team":"payment"}' },
      'GET /event_subscriptions': listOf('event_subscriptions'),
    });
    const fact = page.getByRole('term').filter({ hasText: 'Metadata' }).locator('..').getByRole('definition');
    await fact.waitFor();
    expect(await fact.textContent()).toBe('{"team":"payment"}');
    const terms = page.getByRole('term').filter({ hasText: /^(Id|Description)$/ });
    const tops = await terms
      .locator('..')
      .getByRole('definition')
      .evaluateAll((all) =>
        all.map((one) => {
          const range = one.ownerDocument.createRange();
          range.selectNodeContents(one.querySelector('code') ?? one);
          const { top, bottom } = range.getBoundingClientRect();
          return (top + bottom) / 2;
        }),
      );
    expect(Math.max(...tops) - Math.min(...tops), 'the id and the description are in one line').toBeLessThan(4);
  });

  test('says of an id that does not exist that there is none', async () => {
    const { page } = await openRecorded(`/destinations/${idOf('ed', 9)}`, {});
    await page.getByText('The account has no destination with this id').waitFor();
    expect(await page.getByRole('group', { name: 'Actions' }).count()).toBe(0);
  });
});

describe.skipIf(chromium === null)('the deletion of a destination', () => {
  test('that fails midway stays open, says what is done, and can be repeated', async () => {
    const only = subscriptionOf(1, { sources: [{ type: 'ip_policy_created.v0', uri: '' }] });
    const broken = new Refusal(400, {
      error_code: 'broken',
      detail: 'It is broken.',
      title: 'x',
      operation_id: 'op_1',
    });
    let [lists, deletes]: [object, object] = [listOf('event_subscriptions', [only]), broken];
    const { page, changes } = await open('?tab=settings', {
      'GET /event_subscriptions': () => lists,
      [`GET /event_subscriptions/${only.id}`]: only,
      [`DELETE /event_subscriptions/${only.id}`]: () => {
        lists = listOf('event_subscriptions');
        return {};
      },
      [`DELETE ${PATH}`]: () => deletes,
    });
    await page.getByRole('heading', { name: 'Events that it receives' }).waitFor();
    lists = broken;
    await page.getByRole('button', { name: 'Delete the destination' }).click();
    const dialog = page.getByRole('alertdialog');
    const confirm = dialog.getByRole('button', { name: 'Delete it' });
    await dialog.getByText('The subscriptions could not be read').waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    lists = listOf('event_subscriptions', [only]);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('Its subscription is deleted.').waitFor();

    const held = await holdRequests(page, 'DELETE', PATH);
    await confirm.click();
    await held.sent;
    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    held.release();
    await dialog.getByText('It is broken.').waitFor();
    await dialog.getByText('Done already: 1 subscription is deleted.').waitFor();
    deletes = {};
    await confirm.click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(changes.map(({ operation }) => operation)).toEqual([
      `DELETE /event_subscriptions/${only.id}`,
      `DELETE ${PATH}`,
      `DELETE ${PATH}`,
    ]);
  });
});

describe.skipIf(chromium === null)('what the page of a destination says', () => {
  test('a batch that waits for its next try is not in flight', async () => {
    const retrying = statusOf(1, { status: 'retrying', in_flight: 1, next_attempt_at: '2126-11-20T08:00:00.000Z' });
    const { page } = await open('', { 'GET /event_destinations/status': listOf('statuses', [retrying]) });
    const state = page.getByRole('region', { name: 'State' });
    await state.getByRole('term').filter({ hasText: 'To be retried' }).waitFor();
    expect(await state.getByRole('term').filter({ hasText: 'In flight' }).count()).toBe(0);
  });

  test('nothing of it moves when its status and its last change are read', async () => {
    const [principal, mutedUntil] = [{ id: idOf('usr', 1), subject: 'Ada' }, '2126-12-01T08:00:00.000Z'];
    const { page } = await open('', {
      'GET /event_destinations/status': listOf('statuses'),
      [`GET ${PATH}/status`]: {
        ...lake,
        status: 'misconfigured',
        muted: { reason: 'Known.', until: mutedUntil, since: NOW, principal },
        last_error: { code: 'denied', message: 'Denied.', at: NOW },
      },
    });
    await page.addInitScript(`
      window.tops = new Set();
      (function look() {
        const actions = document.querySelector('[aria-label=Actions]');
        if (actions) window.tops.add(actions.offsetTop - actions.parentElement.offsetTop);
        window.requestAnimationFrame(look);
      })();
    `);
    const twoFrames = () =>
      page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const status = await holdRequests(page, 'GET', `${PATH}/status`);
    const lastChange = await holdRequests(page, 'GET', `${PATH}/events`);
    await page.reload();
    await status.sent;
    await page.getByText(/^Reading the (status|destination)$/).waitFor();
    await twoFrames();
    status.release();
    await lastChange.sent;
    await twoFrames();
    lastChange.release();
    await page.getByText('No change since it was created').waitFor();
    await twoFrames();
    expect(await page.evaluate('[...window.tops]')).toHaveLength(1);
  });

  test('what was saved is said with its time, and nothing of it beside a later pause', async () => {
    let isPaused = false;
    const { page } = await open('?tab=settings&edit=target', {
      'GET /event_destinations/status': listOf('statuses'),
      [`GET ${PATH}/status`]: () =>
        isPaused
          ? {
              ...lake,
              status: 'paused',
              paused: { reason: 'test', since: NOW, principal: { id: idOf('usr', 1), subject: 'Ada' } },
            }
          : { ...lake, status: 'misconfigured', last_error: { code: 'denied', message: 'Denied.', at: NOW } },
      [`PATCH ${PATH}`]: (body) => {
        isPaused = Object.hasOwn(body as object, 'paused');
        return destination;
      },
    });
    await page.getByLabel('Description').fill('Lake of security');
    await page.getByRole('button', { name: 'Save the destination' }).click();
    const saved = page.getByRole('status').filter({ hasText: 'Saved' });
    await saved.filter({ hasText: 'The next attempt is under way' }).waitFor();
    // Its parts are in one line: no space is between the time and the full stop.
    expect(await saved.innerText()).toMatch(/^\s*Saved [-:+\d ]+\. The next attempt is under way/);
    expect(await saved.locator('svg').count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('test');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    expect(await saved.textContent()).toMatch(/^\s*Saved .*\d{4}.*\.$/);
  });
});

const ended = new Refusal(401, { error_code: 'unauthenticated', detail: 'No session.', operation_id: 'op_1' });

describe.skipIf(chromium === null)('edits that are not saved', () => {
  const description = (page: Page) => page.getByLabel('Description');

  test('are asked about before another page is opened', async () => {
    const { page } = await open('?tab=settings&edit=target', { 'GET /exports': listOf('exports') });
    await description(page).fill('Lake of security');
    await page.getByRole('link', { name: 'Exports' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await description(page).inputValue()).toBe('Lake of security');
    await page.getByRole('link', { name: 'Exports' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor();
    await page.goBack();
    await page.getByText('What you changed before is still here').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change the destination' }).click();
    expect(await description(page).inputValue()).toBe('Security lake');
  });

  test('are asked about before the session is ended, and are not kept', async () => {
    let isAway = true;
    const { page, changes } = await open('?tab=settings&edit=target', {
      'DELETE /session': () => {
        if (!isAway) return {};
        isAway = false;
        return new Refusal(503, { error_code: 'unavailable', detail: 'No database.', operation_id: 'op_2' });
      },
    });
    const signOut = async () => {
      await page.getByRole('button', { name: /account menu$/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await description(page).fill('Lake of security');
    await signOut();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await description(page).inputValue()).toBe('Lake of security');
    expect(changes).toEqual([]);
    await signOut();
    await question.getByRole('button', { name: 'Leave' }).click();
    const failed = page.getByRole('alert').filter({ hasText: 'You are still signed in' });
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(changes.map(({ operation }) => operation)).toEqual(['DELETE /session', 'DELETE /session']);
    expect(await page.evaluate('location.pathname + location.search')).toBe('/console/sign-in');
    expect(await page.getByText('Your session has ended.').count()).toBe(0);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('Lake of security');
  });

  test('stay over the end of the session, but for secrets, and what is lost is said', async () => {
    let isOver = false;
    const { page } = await open('?tab=settings&edit=target', {
      'GET /session': () => (isOver ? ended : adminSession),
      'POST /session': () => {
        isOver = false;
        return adminSession;
      },
      [`PATCH ${PATH}`]: () => {
        isOver = true;
        return ended;
      },
    });
    await description(page).fill('Lake of security');
    await page.getByLabel('Secret access key', { exact: true }).fill('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
    await page.getByRole('button', { name: 'Save the destination' }).click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    );
    await page.getByLabel('API key').fill('key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Secrets and texts that could be one are not kept: check each field.').waitFor();
    expect(await description(page).inputValue()).toBe('Lake of security');
    expect(await page.getByLabel('Secret access key', { exact: true }).inputValue()).toBe('');
  });
});

describe.skipIf(chromium === null)('what a page says while the service is away', () => {
  test('the overview says when workers were alive, not that they are', async () => {
    const { page } = await openRecorded('/', {
      'GET /event_destinations/status': listOf('statuses', [lake]),
      'GET /event_subscriptions': listOf('event_subscriptions'),
      [`GET /deliveries`]: listOf('deliveries'),
      'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [{ instance: 'one', alive: true }] },
    });
    await page.getByText(/^1 worker was alive at .*\d{4}/).waitFor();
    expect(await page.getByText('is alive').count()).toBe(0);
  });
});

test.skipIf(chromium === null)('a refusal names the parameter, and says once what is wrong with it', async () => {
  const { page } = await openRecorded('/events?from=2026-11-21T00:00:00.000Z&to=2026-11-20T00:00:00.000Z', {
    'GET /event_types': listOf('event_types'),
    'GET /events': new Refusal(400, {
      error_code: 'invalid_input',
      title: 'Invalid input',
      detail: '?to: must be later than from',
      operation_id: 'op_1',
      errors: [{ pointer: '?to', detail: 'must be later than from' }],
    }),
  });
  const alert = page.getByRole('alert').first();
  await alert
    .getByRole('listitem')
    .filter({ hasText: /^to must be later than from$/ })
    .waitFor();
  expect((await alert.textContent())?.match(/must be later/g)).toHaveLength(1);
});
