import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { holdRequests } from '../browser/held-request.js';
import { openRecorded, type Responses } from './recorded-console.js';
import { deliveryOf, eventOf, exportOf, idOf, listOf, statusOf, undeliveredOf } from './recorded-resources.js';

/** A phone, two notebooks, a large screen, and a notebook at 200 %. */
const WIDTHS = [390, 1280, 1440, 2560, 640];

const NOW = '2026-11-20T08:00:00.000Z';
const long = 'Audit trail of the payment team and of everyone who works with it in the whole of Europe '
  .repeat(3)
  .trim();
const lake = statusOf(1, { description: long });
const counted = (value: number) => ({ value, is_lower_bound: false });

const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', [lake]),
  [`GET /event_destinations/${lake.id}`]: {
    id: lake.id,
    uri: `/event_destinations/${lake.id}`,
    created_at: NOW,
    description: long,
    metadata: null,
    format: 'json',
    target: { data_stream: { auth: { creds: null, role: null }, stream_arn: '', records: 'one_event' } },
    paused: null,
    muted: null,
  },
  [`GET /event_destinations/${lake.id}/status`]: lake,
  [`GET /event_destinations/${lake.id}/deliveries`]: listOf('deliveries', [
    deliveryOf(2, { event_type: 'event_destination_checkpoint_signed.v0' }),
    deliveryOf(1),
  ]),
  'GET /event_destinations/deliveries': listOf('deliveries', [
    deliveryOf(3, {
      state: 'rejected',
      error: {
        code: 'InvalidPayload',
        message:
          'The target refused the event, or the rule does not have the stream. Check the name of the stream and its columns.',
      },
    }),
  ]),
  [`GET /event_destinations/${lake.id}/backfills`]: listOf('backfills'),
  [`GET /event_destinations/${lake.id}/events`]: listOf('events'),
  [`GET /event_destinations/${lake.id}/metrics`]: { steps: [], total: counted(0) },
  'GET /event_subscriptions': listOf('event_subscriptions'),
  'GET /event_types': listOf('event_types'),
  'GET /deliveries': listOf('deliveries'),
  'GET /exports': listOf('exports', [exportOf(), exportOf({ id: idOf('exp', 2), destination_id: lake.id })]),
  'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [{ instance: 'one', alive: true }] },
};

/** Its title takes the first screen of a phone. */
const WITH_LONG_NAME = `/destinations/${lake.id}?tab=deliveries`;

interface Measured {
  /** Texts of the cells, headings and navigations that are cut. */
  readonly cut: readonly string[];
  readonly tallestRow: number;
  readonly firstRowTop: number;
  readonly smallestText: number;
}

function measure(page: Page): Promise<Measured> {
  return page.evaluate<Measured>(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const rows = all('[data-index]').map((row) => row.getBoundingClientRect());
    return {
      cut: all('[role=gridcell], [role=columnheader], nav[aria-label=Console]')
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
      tallestRow: Math.max(...rows.map(({ height }) => height)),
      // Without what says that the recorded service has no live data.
      firstRowTop: Math.min(...rows.map(({ top }) => top))
        - all('[role=alert]').reduce((sum, one) => sum + one.getBoundingClientRect().height, 0),
      smallestText: Math.min(...all('nav[aria-label=Console] a, main *')
        .filter(({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))
        .map((element) => Number.parseFloat(getComputedStyle(element).fontSize))
        .filter((size) => size > 0)),
    };
  })()`);
}

describe.skipIf(chromium === null)('the layout at every width', () => {
  test.each([
    ['/', 'Destinations'],
    ['/exports', 'Exports'],
    [WITH_LONG_NAME, 'Deliveries'],
    ['/not-delivered', 'Not delivered'],
  ])('of %s cuts no cell and no navigation, and its rows are low', async (path, grid) => {
    const { page } = await openRecorded(path, responses);
    await page.getByRole('grid', { name: grid }).locator('[data-index]').first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(async () => (await measure(page)).cut, { message: `${width} pixels wide` }).toEqual([]);
      const { tallestRow, firstRowTop, smallestText } = await measure(page);
      if (width >= 1280) expect(tallestRow, `rows at ${width}`).toBeLessThan(150);
      if (width === 390 && path !== WITH_LONG_NAME) expect(firstRowTop, 'first row of a phone').toBeLessThan(844);
      expect(smallestText).toBeGreaterThanOrEqual(12);
    }
  });
});

test.skipIf(chromium === null)('an event type is broken behind a word', async () => {
  const { page } = await openRecorded(WITH_LONG_NAME, responses);
  const type = page.getByRole('grid').getByText('event_destination_checkpoint_signed.v0');
  await type.waitFor();
  const lines = await type.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    let [text, bottom] = ['', 0];
    for (const node of element.childNodes)
      for (const [index, letter] of [...(node.textContent ?? '')].entries()) {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const box = range.getBoundingClientRect();
        text += box.top > bottom && bottom > 0 ? ` ${letter}` : letter;
        bottom = box.bottom;
      }
    return text.split(' ');
  });
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/_$/);
});

test.skipIf(chromium === null)('values of a facet begin at one edge, whether they are links or not', async () => {
  const { page } = await openRecorded('/events', {
    ...responses,
    'GET /events': listOf('events', [eventOf(2), eventOf(1)]),
    'GET /events/counts': {
      from: NOW,
      to: '2026-11-20T09:00:00.000Z',
      steps: [2],
      events: 2,
      reached: null,
      deliveries: { delivered: 1, pending: 1 },
      deliveries_of: 2,
    },
  });
  await page.getByText('deliveries of all 2 events').click();
  const values = page.getByRole('definition').filter({ hasText: 'of the newest 2 events' }).getByRole('listitem');
  await values.filter({ hasText: 'Waiting' }).getByRole('link').waitFor();
  const edges = await values.evaluateAll((all) =>
    all.slice(0, 2).map((one) => {
      const range = one.ownerDocument.createRange();
      range.selectNodeContents(one.querySelector('a') ?? one);
      return range.getBoundingClientRect().left;
    }),
  );
  expect(edges[0]).toBe(edges[1]);
});

test.skipIf(chromium === null)('buttons end and begin at the edges of what is above and below them', async () => {
  const event = eventOf(1);
  const { page } = await openRecorded(`/events/${event.id}`, {
    ...responses,
    [`GET /events/${event.id}`]: event,
    [`GET /events/${event.id}/deliveries`]: listOf('deliveries', [deliveryOf(1)]),
    'GET /events': listOf('events', [event]),
  });
  const right = (of: Locator) => of.evaluate((one) => one.getBoundingClientRect().right);
  const curl = page.getByRole('button', { name: 'Copy as curl' });
  await curl.waitFor();
  expect(await right(curl)).toBe(await right(page.getByRole('main').locator('header')));
  await page.getByRole('link', { name: 'All events' }).click();
  // The edge that is seen: that of the text, where there is no border.
  const save = await page.getByRole('button', { name: 'Save this view' }).evaluate((button) => {
    const range = button.ownerDocument.createRange();
    range.selectNodeContents(button);
    const style = button.ownerDocument.defaultView?.getComputedStyle(button);
    return (style?.borderLeftColor === 'rgba(0, 0, 0, 0)' ? range : button).getBoundingClientRect().left;
  });
  const field = page.getByRole('combobox', { name: 'Add a filter' }).locator('..');
  expect(save).toBe(await field.evaluate((one) => one.getBoundingClientRect().left));
});

test.skipIf(chromium === null)('a destination without a name has its whole id in one line', async () => {
  const { id, ...status } = statusOf(2);
  const { page } = await openRecorded('/', {
    ...responses,
    'GET /event_destinations/status': listOf('statuses', [{ id, ...status }]),
    [`GET /event_destinations/${id}/metrics`]: { steps: [], total: counted(0) },
    'GET /event_destinations/deliveries': listOf('deliveries', [
      deliveryOf(3, { destination_id: id, state: 'rejected' }),
    ]),
  });
  for (const name of ['Overview', 'Not delivered']) {
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();
    const link = page.getByRole('grid').getByRole('link', { name: id });
    await link.waitFor();
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await expect
        .poll(
          () =>
            link.evaluate((one) => {
              const range = one.ownerDocument.createRange();
              const code = one.querySelector('code') ?? one;
              range.selectNodeContents(code);
              const line = one.ownerDocument.defaultView?.getComputedStyle(code).textDecorationLine;
              const texts = [one, ...one.querySelectorAll('*')];
              const isCut = texts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 0);
              return { lines: range.getClientRects().length, isCut, line };
            }),
          { message: `${name}, ${width} pixels wide` },
        )
        .toEqual({ lines: 1, isCut: false, line: 'underline' });
    }
  }
});

test.skipIf(chromium === null)('the row of a muted destination that fails and lost events is low', async () => {
  const principal = { id: idOf('usr', 1), subject: 'grace.hopper@example.com', credential_id: null };
  const muted = { reason: long, until: '2126-12-01T08:00:00.000Z', since: NOW, principal };
  const error = { code: 'AccessDeniedException', message: long, at: NOW };
  const { page } = await openRecorded('/', {
    ...responses,
    'GET /event_destinations/status': listOf('statuses', [
      { ...lake, status: 'misconfigured', muted, last_error: error },
    ]),
    'GET /event_destinations/deliveries/counts': listOf('counts', [undeliveredOf(1)]),
    'GET /event_subscriptions': listOf('event_subscriptions', [
      { id: idOf('es', 1), uri: '', destination_ids: [lake.id], sources: [{ type: 'ip_policy_created.v0' }] },
    ]),
  });
  await page.getByRole('link', { name: '1 rejected' }).waitFor();
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(async () => (await measure(page)).tallestRow, { message: `at ${width}` }).toBeLessThan(150);
  }
  expect(await page.getByRole('row', { name: /by grace.hopper@example.com until 2126-12-01/ }).count()).toBe(1);
});

test.skipIf(chromium === null)('an event that was not delivered has its whole id in one line', async () => {
  const { page } = await openRecorded('/not-delivered', responses);
  const id = page.getByRole('grid').getByText(deliveryOf(3).event_id);
  await id.waitFor();
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect
      .poll(() => id.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), {
        message: `${width} pixels wide`,
      })
      .toBe(0);
  }
});

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

test.skipIf(chromium === null)('the button of the account has room around it, and around its two lines', async () => {
  const { page } = await openRecorded('/exports', {
    ...responses,
    'GET /api_keys/ak_1': { id: 'ak_1', uri: '/api_keys/ak_1', description: 'The first API key.' },
  });
  const button = page.getByRole('button', { name: /account menu$/ });
  await button.getByText('The first API key.').waitFor();
  const box = async (of: Locator): Promise<Box> => {
    const found = await of.boundingBox();
    if (found === null) throw new Error('It is not shown.');
    return found;
  };
  const { y: top } = await box(button);
  expect((await box(button.getByText('The first API key.'))).y - top).toBeGreaterThanOrEqual(4);
  await page.setViewportSize({ width: 640, height: 844 });
  const above = await box(button);
  const below = await box(page.getByRole('navigation', { name: 'Console' }));
  expect(below.y - above.y - above.height, 'the pages below it').toBeGreaterThanOrEqual(4);
});

describe.skipIf(chromium === null)('a phone', () => {
  const open = async (below: string, others: Responses = {}): Promise<Page> => {
    const { page } = await openRecorded(below, { ...responses, ...others });
    await page.setViewportSize({ width: 390, height: 844 });
    return page;
  };

  test('has room around each page of the navigation', async () => {
    const page = await open('/exports');
    await page.getByRole('grid').waitFor();
    const gaps = await page.evaluate<readonly number[]>(`(() => {
      const boxes = [...document.querySelectorAll('nav[aria-label=Console] a')].map((link) => {
        const range = document.createRange();
        range.selectNodeContents(link);
        return range.getBoundingClientRect();
      });
      return boxes.slice(1).map(({ left, top }, index) => top > boxes[index].top ? 16 : left - boxes[index].right);
    })()`);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12);
  });

  test('shows the whole numbers of the summary, also with muted destinations', async () => {
    const principal = { id: idOf('usr', 1), subject: 'Grace', credential_id: null };
    const muted = { reason: 'Known.', until: '2126-12-01T08:00:00.000Z', since: NOW, principal };
    const failing = { ...lake, status: 'retrying' };
    const page = await open('/', {
      'GET /event_destinations/status': listOf('statuses', [
        { ...statusOf(2), status: 'retrying' },
        { ...failing, muted },
      ]),
    });
    await page.getByText('+ 1 muted').waitFor();
    expect((await measure(page)).firstRowTop).toBeLessThan(0.9 * 844);
    const tiles = page.locator('dl > div');
    const edges = await tiles.evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().right));
    expect(edges.at(-1), 'the last line of tiles is filled').toBe(Math.max(...edges));
    const widths = await tiles.evaluateAll((all) =>
      all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    );
    expect(Math.max(...widths)).toBeLessThanOrEqual(0);
  });

  test('shows the first destination below an ended redelivery and the causes of failures', async () => {
    const error = (code: string) => ({ code, message: 'The role has no right to write to the stream.', at: NOW });
    const page = await open('/', {
      'GET /event_destinations/status': listOf('statuses', [
        statusOf(1, { description: 'Lake', status: 'misconfigured', last_error: error('AccessDeniedException') }),
        statusOf(2, { status: 'misconfigured', last_error: error('AccessDeniedException') }),
        statusOf(3, { status: 'retrying', last_error: error('ThrottlingException') }),
        statusOf(4, { status: 'retrying', last_error: error('ThrottlingException') }),
      ]),
      'GET /event_destinations/recoveries': listOf('recoveries', [
        {
          id: idOf('rcv', 1),
          uri: '',
          created_at: NOW,
          state: 'finished',
          states: ['rejected', 'expired'],
          from: NOW,
          destination_ids: null,
          principal: { id: idOf('usr', 1), subject: 'grace.hopper@example.com', credential_id: null },
          events_redelivered: 1200,
          events_total: 1200,
          finished_at: new Date().toISOString(),
        },
      ]),
    });
    await page.getByRole('region', { name: 'Redelivery' }).waitFor();
    await page.getByRole('group', { name: 'Causes' }).waitFor();
    await page.getByRole('link', { name: 'Lake' }).waitFor();
    expect((await measure(page)).firstRowTop).toBeLessThan(844);
    await expectAccessible(page);
  });

  test('shows the whole hint of the search field, and the first event in the upper four fifths', async () => {
    const page = await open('/events', {
      'GET /events': listOf('events', [eventOf(2), eventOf(1)]),
      'GET /events/counts': {
        from: NOW,
        to: '2026-11-20T09:00:00.000Z',
        steps: Array.from({ length: 60 }, () => 1),
        events: 60,
        reached: null,
        deliveries: {},
        deliveries_of: 0,
      },
    });
    await page.getByRole('region', { name: 'Events over time' }).waitFor();
    await page.locator('[data-index="0"]').waitFor();
    expect((await measure(page)).firstRowTop).toBeLessThan(0.8 * 844);
    const rest = await page.evaluate<number>(`(() => {
      const input = document.querySelector('input[aria-label="Add a filter"]');
      const { font, paddingLeft, paddingRight } = getComputedStyle(input);
      const context = document.createElement('canvas').getContext('2d');
      context.font = font;
      const { width } = context.measureText(input.placeholder);
      return input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - width;
    })()`);
    expect(rest).toBeGreaterThanOrEqual(0);
    const selects = await page
      .getByRole('search')
      .getByRole('combobox')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(selects[1], 'the order and the time are in one line').toBe(selects[2]);
  });

  test('does not move exports when the names of who asked for them are read', async () => {
    const [key, user] = [idOf('ak', 1), idOf('usr', 1)];
    const page = await open('/exports', {
      [`GET /api_keys/${key}`]: { id: key, uri: '', description: 'Deploys of the payment team' },
      [`GET /users/${user}`]: { id: user, uri: '', name: 'Ada' },
    });
    const rows = page.getByRole('grid').locator('[data-index]');
    await rows.first().waitFor();
    const held = await holdRequests(page, 'GET', /(api_keys|users|event_destinations)\/\w+$/);
    await page.reload();
    await rows.nth(1).waitFor();
    await held.sent;
    const boxes = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON() as object));
    const before = await boxes();
    held.release();
    await page.getByText('Deploys of the payment team').nth(1).waitFor();
    await page.getByRole('link', { name: long }).waitFor();
    expect(await boxes()).toEqual(before);
  });

  test('does not move while it connects again, and has room below what it says of that', async () => {
    const page = await open('/');
    const alert = page.getByRole('alert');
    const grid = page.getByRole('grid');
    await alert.waitFor();
    await grid.waitFor();
    const before = await grid.boundingBox();
    const summary = await page.locator('dl').first().boundingBox();
    const box = await alert.boundingBox();
    expect((summary?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)).toBeGreaterThanOrEqual(12);
    const held = await holdRequests(page, 'GET', '/status/stream');
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await held.sent;
    await page.getByText('Next attempt now').waitFor();
    expect(await alert.textContent()).toContain('The page is not live');
    expect(await grid.boundingBox()).toEqual(before);
  });

  test('does not move an event when its neighbours and the name of its key are read', async () => {
    const [event, key] = [eventOf(1), idOf('ak', 3)];
    const principal = { ...event.payload.principal, credential: { id: key, uri: '' } };
    const page = await open('/exports', {
      [`GET /api_keys/${key}`]: { id: key, uri: '', description: 'Deploys of the payment team' },
      [`GET /events/${event.id}`]: { ...event, payload: { ...event.payload, principal } },
      [`GET /events/${event.id}/deliveries`]: listOf('deliveries', [deliveryOf(1)]),
      'GET /events': listOf('events'),
    });
    await page.getByRole('grid').waitFor();
    const held = await holdRequests(page, 'GET', /^\/events$|api_keys/);
    await page.goto(page.url().replace('exports', `events/${event.id}`));
    const below = page.getByRole('term').filter({ hasText: 'From where' });
    const before = await below.boundingBox();
    held.release();
    await page.getByText('Deploys of the payment team').waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Events' }).textContent()).toMatch(/none.*none/);
    expect(before?.y).toBeGreaterThan(0);
    expect(await below.boundingBox()).toEqual(before);
  });

  test('breaks the address of a resource behind a slash, and not within its id', async () => {
    const policy = eventOf(1).payload.object as { readonly id: string };
    const uri = `https://waybill.example.com/ip_policies/${policy.id}`;
    const page = await open(`/resources/ip_policy/${policy.id}`, {
      [`GET /ip_policies/${policy.id}`]: { ...policy, uri },
      [`GET /ip_policies/${policy.id}/events`]: listOf('events'),
      'GET /events': listOf('events'),
      'GET /edges/https': listOf('https_edges'),
    });
    await page.locator('dd', { hasText: uri }).waitFor();
    const lines = await page.evaluate<number>(`(() => {
      const range = document.createRange();
      range.selectNodeContents([...document.querySelectorAll('dd')].find((dd) => dd.textContent === '${uri}').lastChild);
      return range.getClientRects().length;
    })()`);
    expect(lines, 'lines of the id').toBe(1);
  });
});

test.skipIf(chromium === null)('a row of a table is one stop of Tab, and the arrows lead to its buttons', async () => {
  const { page } = await openRecorded('/exports', responses);
  const row = page.getByRole('grid', { name: 'Exports' }).locator('[data-index]').first();
  await row.getByRole('button', { name: /^Delete/ }).waitFor();
  await row.focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Search the same events');
  await row.focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("[role=grid]") === null')).toBe(true);
});

test.skipIf(chromium === null)('a row with a checkbox is one stop of Tab, and the space bar selects it', async () => {
  const { page } = await openRecorded('/', responses);
  const checkbox = page.getByRole('checkbox', { name: `Select ${long}` });
  await checkbox.waitFor();
  await page.getByRole('grid', { name: 'Destinations' }).locator('[data-index]').first().focus();
  await page.keyboard.press('Space');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.getByText('Select destinations to act on many.').waitFor();
  expect(await checkbox.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("[role=grid]") === null')).toBe(true);
});

test.skipIf(chromium === null)(
  'the page of the retention says how long, and since when all of it is there',
  async () => {
    const kept = { kept_days: 90, complete_since: null };
    const { page, complaints } = await openRecorded('/', {
      ...responses,
      'GET /retention': {
        events: { kept_days: 400, complete_since: NOW },
        deliveries: kept,
        attempts: kept,
        exports: { ...kept, kept_days: 1 },
        metrics: kept,
        uri: '',
      },
    });
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Retention' }).click();
    const facts = (name: string) => page.getByRole('region', { name }).getByRole('definition');
    await facts('Events').first().waitFor();
    expect(await facts('Events').allTextContents()).toEqual([
      'at least 400 days since it was recorded',
      expect.stringContaining('2026-11-20'),
    ]);
    expect(await facts('Files of exports').allTextContents()).toEqual([
      'at least 1 day since it was complete',
      'the beginning: none was removed',
    ]);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
);
