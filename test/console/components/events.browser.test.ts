import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { holdRequests } from '../browser/held-request.js';
import { openRecorded, Refusal, type Responses } from './recorded-console.js';
import { eventOf, listOf } from './recorded-resources.js';

const types = ['ip_policy_created.v0', 'order_created.v0'].map((type) => ({
  type,
  uri: '',
  description: '',
  origin: type.startsWith('order') ? 'registered' : 'built_in',
}));

/** Two of 60 minutes have events. */
const counts = {
  from: '2026-11-20T08:00:00.000Z',
  to: '2026-11-20T09:00:00.000Z',
  steps: Array.from({ length: 60 }, (_, minute) => (minute === 10 ? 3 : minute === 40 ? 1 : 0)),
  events: 4,
  reached: null,
  deliveries: { pending: 2, delivered: 7, rejected: 1, expired: 0, cancelled: 0 },
  deliveries_of: 4,
};

const responses: Responses = {
  'GET /events/counts': counts,
  'GET /events': listOf('events', [eventOf(1)]),
  'GET /event_types': { event_types: types, uri: '', next_page_uri: null },
};

describe.skipIf(chromium === null)('the search of events', () => {
  test('selects nothing by itself that the text does not match', async () => {
    const { page } = await openRecorded('/events', responses);
    await page.getByText('all that match').waitFor();
    const field = page.getByRole('combobox', { name: 'Add a filter' });
    const guess = page.getByRole('option', { name: 'office Changed member' });
    await field.fill('office');
    await guess.waitFor();
    const selected = page.getByRole('listbox').getByRole('option', { selected: true });
    expect(await selected.allTextContents()).toEqual(['officeText in the payload']);
    await field.press('Enter');
    await page.waitForURL((url) => url.search === '?text=office');
    await field.fill('office');
    await guess.waitFor();
    await field.press('ArrowUp');
    await field.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('changed') === 'office');

    await field.fill('192.0.2.1');
    await field.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('ip') === '192.0.2.1');

    await field.fill('order');
    await page.getByRole('option', { selected: true, name: /order_created/ }).waitFor();
    await field.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('type') === 'order_created.v0');
  });

  test('applies a time when it is complete, and says the order of its date', async () => {
    const { page } = await openRecorded('/events', responses);
    await page.getByRole('combobox', { name: 'Time' }).selectOption('range');
    await page.getByLabel('To (local time) month/day/year').fill('2026-11-20T09:00');
    await page.waitForURL((url) => url.searchParams.get('to') !== null);
    const at = new URL(page.url()).searchParams.get('to') ?? '';
    expect(new Date(at).toISOString()).toBe(new Date('2026-11-20T09:00').toISOString());
  });

  test('says how far the payloads were searched for a text', async () => {
    const { page } = await openRecorded('/events?text=former+office', {
      ...responses,
      'GET /events': (_body, { searchParams: asked }) =>
        asked.has('before_id')
          ? new Refusal(503, { error_code: 'unavailable', detail: 'Busy.' })
          : { ...listOf('events', [eventOf(1)]), next_page_uri: `/events?before_id=${eventOf(1).id}` },
    });
    await page.getByText('1 event read, more to search').waitFor();
    const searched = await page.getByText(/^Searched the payloads/).textContent();
    expect(searched).toMatch(/^Searched the payloads, 2,000 at a time, up to /);
  });

  test('is searching only while it reads', async () => {
    const all = Array.from({ length: 100 }, (_, index) => eventOf(100 - index));
    const { page } = await openRecorded('/events', {
      ...responses,
      'GET /events': (_body, { searchParams: asked }) => {
        if (asked.has('after_id')) return listOf('events');
        // A page may be empty while there is more to search.
        const rows = asked.has('before_id') ? [] : all;
        return { ...listOf('events', rows), next_page_uri: `/events?before_id=${eventOf(rows.length).id}` };
      },
    });
    await page.getByText('100 events read, more to search').waitFor();
    const held = await holdRequests(page, 'GET', '/events');
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await held.sent;
    await page.evaluate('scrollTo(0, 0)');
    const reading = page.getByText('Reading more events');
    await reading.waitFor();
    held.release();
    await reading.waitFor({ state: 'detached' });
    expect(await page.getByText('Stop the search').count()).toBe(0);
  });

  test('marks the counts of the search before until those of this one are read, and says why they are not', async () => {
    const { page } = await openRecorded('/events', {
      ...responses,
      'GET /events/counts': (_body, { searchParams: asked }) =>
        asked.has('text') ? new Refusal(400, { error_code: 'invalid', detail: 'It is too much.' }) : counts,
    });
    await page.getByText('4 events in these bars').waitFor();
    const held = await holdRequests(page, 'GET', '/events/counts');
    const field = page.getByRole('combobox', { name: 'Add a filter' });
    await field.fill('former office');
    await field.press('Enter');
    await page.getByText('Counting the events').waitFor();
    expect(await page.getByText('4 events in these bars').count()).toBe(0);
    await expectAccessible(page);
    held.release();
    await page.getByText('The events could not be counted').waitFor();
    expect(await page.getByRole('region', { name: 'Events over time' }).count()).toBe(0);
  });

  test('says an outage once, and reads the list and the counts again when it is over', async () => {
    let isOut = true;
    const answer = (body: object) => () =>
      isOut ? new Refusal(503, { error_code: 'unavailable', detail: 'Busy.' }) : body;
    const { page } = await openRecorded('/events', {
      ...responses,
      'GET /events': answer(listOf('events', [eventOf(1)])),
      'GET /events/counts': answer(counts),
    });
    await page.clock.install();
    await page.getByText('The events could not be read').waitFor();
    expect(await page.getByText('The events could not be counted').count()).toBe(0);
    isOut = false;
    await page.clock.fastForward(10_000);
    await page.getByText('4 events in these bars').waitFor();
    await page.getByText('1 event, all that match').waitFor();
  });

  test('narrows the time by dragging over the histogram, and the button Back takes it back', async () => {
    const { page } = await openRecorded('/events', responses);
    const chart = page.getByRole('region', { name: 'Events over time' });
    await chart.getByText('4 events in these bars. Drag over them to show only a part.').waitFor();
    const box = await chart.locator('svg').first().boundingBox();
    if (!box) throw new Error('The histogram has no place.');
    const minute = (at: number) => box.x + (box.width * (at + 0.5)) / 60;
    await page.mouse.click(minute(30), box.y + 5, { button: 'right' });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(new URL(page.url()).search, 'the right button chooses nothing').toBe('');
    await page.mouse.move(minute(10), box.y + 5);
    await page.mouse.down();
    await page.mouse.move(minute(25), box.y + 5);
    await page.mouse.move(minute(19), box.y + 5);
    await page.mouse.up();
    const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
    await page.waitForURL((url) => url.searchParams.has('to'));
    expect(asked()).toEqual({ from: '2026-11-20T08:10:00.000Z', to: '2026-11-20T08:20:00.000Z' });
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
  });

  test('narrows the time by keyboard, and leaves the end open at the last step', async () => {
    const { page } = await openRecorded('/events', responses);
    const from = page.getByRole('slider', { name: 'From' });
    await from.waitFor();
    await from.focus();
    for (let presses = 0; presses < 3; presses += 1) await from.press('ArrowRight');
    expect(await from.getAttribute('aria-valuetext')).toMatch(/03:00/);
    await from.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.search === '?from=2026-11-20T08%3A03%3A00.000Z');
    expect(await page.locator(':focus').textContent()).toBe('Show only this time');
  });

  test('counts what the events that were read have, and the states of deliveries, and filters by one', async () => {
    const updated = {
      ...eventOf(2),
      type: 'ip_policy_updated.v0',
      payload: { ...eventOf(2).payload, request: { operation_id: 'op_1', ip: '192.0.2.7', user_agent: null } },
    };
    const { page, complaints } = await openRecorded('/events', {
      ...responses,
      'GET /events': (_body, { searchParams: asked }) =>
        listOf('events', asked.has('after_id') ? [] : [eventOf(4), eventOf(3), updated, eventOf(1)]),
    });
    await page.getByText('Types, principals, addresses and deliveries of all 4 events').click();
    await page.getByRole('button', { name: '192.0.2.7' }).waitFor();
    const states = page.getByRole('listitem').filter({ hasText: /^(Delivered|Waiting|Rejected)/ });
    expect(await states.allTextContents()).toEqual(['Delivered7', 'Waiting2', 'Rejected1']);
    const rejected = page.getByRole('link', { name: 'Rejected' });
    expect(await rejected.getAttribute('href')).toBe('/console/not-delivered?state=rejected');
    const waiting = page.getByRole('link', { name: 'Waiting' });
    expect(await waiting.getAttribute('href')).toBe('/console/?sort=-undelivered');
    await page.getByText('A link leads to the deliveries of all events.').waitFor();
    const counted = page.getByRole('listitem').filter({ hasText: '.v0' });
    expect(await counted.allTextContents()).toEqual(['ip_policy_created.v03', 'ip_policy_updated.v01']);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'ip_policy_updated.v0' }).click();
    await page.waitForURL((url) => url.search === '?type=ip_policy_updated.v0');
    expect(complaints).toEqual([]);
  });

  test('announces new events, and inserts them above the list when it is asked to', async () => {
    const reads: string[] = [];
    const { page, complaints } = await openRecorded(
      '/events?principal_id=usr_1',
      {
        ...responses,
        'GET /events': (_body, { search, searchParams }) => {
          reads.push(search);
          const isOfPrincipal = searchParams.has('principal_id');
          // The newest event of the account is one of somebody else.
          if (!isOfPrincipal) return listOf('events', [eventOf(5)]);
          if (searchParams.get('after_id') === eventOf(5).id) return listOf('events', [eventOf(6), eventOf(7)]);
          return listOf('events', searchParams.has('after_id') ? [] : [eventOf(2), eventOf(1)]);
        },
      },
      { clock: true },
    );
    await page.getByText('2 events, all that match').waitFor();
    await page.clock.fastForward(10_000);
    await page.getByText('2 new events').waitFor();
    const rows = page.getByRole('grid', { name: 'Events' }).locator('[data-index]');
    expect(await rows.count()).toBe(2);
    await expectAccessible(page);
    const before = reads.length;
    await page.getByRole('button', { name: 'Show above' }).click();
    await page.getByText('4 events, all that match').waitFor();
    const shown = await rows.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(shown.map((href) => /evt_\w+/.exec(href ?? '')?.[0])).toEqual([7, 6, 2, 1].map((n) => eventOf(n).id));
    await page.getByText('2 new events').waitFor({ state: 'detached' });
    expect(reads.slice(before).filter((search) => !/(after|before)_id/.test(search))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('announces an event that was committed after a later one, and inserts it between its neighbours', async () => {
    const { page } = await openRecorded(
      '/events',
      {
        ...responses,
        'GET /events': (_body, { searchParams: asked }) => {
          const before = asked.get('before_id');
          if (asked.has('after_id')) return listOf('events');
          if (before === eventOf(5).id) return listOf('events', [4, 3, 2, 1].map(eventOf));
          if (before === eventOf(3).id) return listOf('events', [eventOf(1)]);
          return { ...listOf('events', [eventOf(5), eventOf(3)]), next_page_uri: `/events?before_id=${eventOf(3).id}` };
        },
      },
      { clock: true },
    );
    await page.getByText('3 events, all that match').waitFor();
    await page.clock.fastForward(10_000);
    await page.getByText('2 new events').waitFor();
    await page.getByRole('button', { name: 'Show above' }).click();
    await page.getByText('5 events, all that match').waitFor();
    const links = page.getByRole('grid', { name: 'Events' }).locator('[data-index]').getByRole('link');
    const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(shown.map((href) => /evt_\w+/.exec(href ?? '')?.[0])).toEqual([5, 4, 3, 2, 1].map((n) => eventOf(n).id));
    await page.getByText('2 new events').waitFor({ state: 'detached' });
  });

  test('announces new events also where the list is scrolled', async () => {
    const all = Array.from({ length: 40 }, (_, index) => eventOf(40 - index));
    const { page } = await openRecorded(
      '/events',
      {
        ...responses,
        'GET /events': (_body, { searchParams }) =>
          listOf('events', searchParams.has('after_id') ? [eventOf(41)] : all),
      },
      { clock: true },
    );
    await page.getByText('40 events, all that match').waitFor();
    await page.evaluate('scrollTo(0, 1_500)');
    await page.clock.fastForward(10_000);
    const button = page.getByRole('button', { name: 'Show above' });
    await button.waitFor();
    const { y = -1, height = 0 } = (await button.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(200);
  });

  test('shows the chosen event beside the list on a wide screen, and opens it with Enter', async () => {
    const all = [eventOf(3), eventOf(2), eventOf(1)];
    const { page, complaints } = await openRecorded('/events', {
      ...responses,
      'GET /events': (_body, { searchParams }) => listOf('events', searchParams.has('after_id') ? [] : all),
      ...Object.fromEntries(all.map((event) => [`GET /events/${event.id}`, event])),
    });
    const pane = page.getByRole('region', { name: 'Selected event' });
    await page.getByText('3 events, all that match').waitFor();
    expect(await pane.count()).toBe(0);
    await page.setViewportSize({ width: 1_600, height: 900 });
    await pane.getByText(eventOf(3).id).first().waitFor();
    const row = page.getByRole('grid', { name: 'Events' }).locator('[data-index="1"]');
    await row.click({ position: { x: 4, y: 4 } });
    const json = pane.getByRole('region', { name: 'Payload of the selected event' });
    await json.getByText(eventOf(2).id).waitFor();
    expect(JSON.parse((await json.textContent()) ?? '')).toEqual(eventOf(2).payload);
    expect(await page.getByRole('row', { selected: true }).count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await json.getByText(eventOf(1).id).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(eventOf(1).id));
    expect(complaints.filter((one) => !one.includes('/deliveries'))).toEqual([]);
  });
});
