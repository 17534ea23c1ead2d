import type { Event } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { pressByKey, tabTo } from '../browser/keyboard.js';
import { openRecorded, type Responses } from './recorded-console.js';
import { deliveryOf, eventOf, idOf, listOf, statusOf } from './recorded-resources.js';

const created = eventOf(1);
const policy = created.resource_id;

/** An update of the same policy, which has ten members that did not change. */
const updated = (() => {
  const other = eventOf(2);
  const unchanged = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`member_${index}`, index]));
  const object = { ...other.payload.object, id: policy, description: 'Berlin, Mitte', ...unchanged };
  const changes = { before: { description: 'Berlin' }, after: { description: 'Berlin, Mitte' } };
  const type = 'ip_policy_updated.v0';
  const payload = { ...other.payload, event_type: type, resource_id: policy, version: 2, object, changes };
  return { ...other, type, resource_id: policy, payload };
})();

const lake = statusOf(1, { description: 'Security lake' });
const trail = statusOf(2, {
  description: 'Audit trail',
  status: 'misconfigured',
  next_attempt_at: '2100-01-01T00:00:00Z',
});

const deliveries = [
  deliveryOf(1, { destination_id: lake.id }),
  deliveryOf(2, {
    destination_id: trail.id,
    state: 'in_flight',
    finished_at: null,
    attempts: [
      {
        started_at: '2026-11-20T08:00:01.000Z',
        outcome: 'misconfigured',
        code: 'AccessDeniedException',
        message: 'Kinesis refused the credentials.',
        http_status: 400,
        duration_ms: 20,
      },
    ],
  }),
];

const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', [lake, trail]),
  'GET /event_types': listOf('event_types'),
  ...Object.fromEntries([created, updated].map((event) => [`GET /events/${event.id}`, event])),
  [`GET /events/${created.id}/deliveries`]: listOf('deliveries', deliveries),
  [`GET /events/${updated.id}/deliveries`]: listOf('deliveries'),
  // The events of the policy, newest first, from a cursor on.
  'GET /events': (_body, { searchParams }) => {
    if (searchParams.get('before_id') === updated.id) return listOf('events', [created]);
    if (searchParams.get('after_id') === created.id) return listOf('events', [updated]);
    const isBeside = searchParams.has('before_id') || searchParams.has('after_id');
    return listOf('events', isBeside ? [] : [updated, created]);
  },
};

const open = (event: Event, search = '') => openRecorded(`/events/${event.id}${search}`, responses);
const rowOf = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Destinations of the event' }).locator('[data-index]').filter({ hasText: name });
const factsOf = (page: Page) => page.locator('dl').first().textContent();

describe.skipIf(chromium === null)('an event', () => {
  test('says who, what, when, with which key and from where, and leads to events that have the same', async () => {
    const { page } = await open(updated);
    await page.getByRole('heading', { level: 1, name: 'ip_policy_updated.v0' }).waitFor();
    const { principal, request } = updated.payload;
    const parts = ['Who', principal.subject, principal.id, 'What', policy, 'version 2', 'When', 'With which key'];
    for (const part of [...parts, request.operation_id, '192.0.2.1']) expect(await factsOf(page)).toContain(part);
    await page.getByRole('link', { name: 'History of this resource' }).click();
    await page.getByText('2 events, all that match').waitFor();
    expect(new URL(page.url()).search).toBe(`?object_id=${policy}`);
  });

  test('that a publisher sent says when nobody is named, and who repaired it', async () => {
    const { id, payload } = created;
    const published = {
      ...created,
      type: 'shop.user_created.v0',
      resource_id: 'user-7',
      payload: {
        ...payload,
        event_type: 'shop.user_created.v0',
        resource_id: 'user-7',
        principal: { id: 'unknown', subject: 'unknown', credential: null },
        object: { name: 'Bob' },
        repaired: { by: 'Ada', reason: 'the name was empty', at: '2026-11-20T08:00:00.000Z' },
      },
    };
    const { page } = await openRecorded(`/events/${id}`, { ...responses, [`GET /events/${id}`]: published });
    await page.getByRole('heading', { level: 1, name: 'shop.user_created.v0' }).waitFor();
    for (const part of ['the publisher named nobody', 'user-7', 'Repaired', 'Ada', 'the name was empty'])
      expect(await factsOf(page)).toContain(part);
  });

  test('of an update has before and after side by side, unfolds by mouse and by keyboard, and had no destination', async () => {
    const { page, complaints } = await open(updated);
    const table = page.getByRole('table', { name: 'Before and after' });
    const row = table.getByRole('row').filter({ hasText: 'Mitte' });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      expect.stringMatching(/removed: {3}"description": "Berlin"/),
      expect.stringMatching(/added: {3}"description": "Berlin, Mitte"/),
    ]);
    await page.getByText('No destination received this event').waitFor();
    await expectAccessible(page);
    const fold = table.getByRole('button', { name: /^Show \d+ unchanged lines$/ }).first();
    const folded = await table.getByRole('row').count();
    await fold.click();
    const shown = await table.getByRole('row').count();
    expect(shown).toBeGreaterThan(folded);
    await page.reload();
    await pressByKey(page, fold);
    expect(await table.getByRole('row').count()).toBe(shown);
    expect(complaints).toEqual([]);
  });

  test('of a creation has what was created, and its JSON', async () => {
    const { page } = await open(created);
    await page.getByText('It did not exist before.').waitFor();
    const json = await page.getByRole('region', { name: 'Payload of the event' }).textContent();
    expect(JSON.parse(json ?? '')).toEqual(created.payload);
  });

  test('has a row for each destination, which opens its attempts and waits', async () => {
    const { page, complaints } = await open(created);
    const delivered = rowOf(page, 'Security lake');
    const broken = rowOf(page, 'Audit trail');
    await delivered.getByText(/^after /).waitFor();
    expect(await delivered.getByRole('img').getAttribute('aria-label')).toMatch(/^Security lake: Delivered after/);
    await broken.getByText('AccessDeniedException').waitFor();
    await broken.getByText(/^in /).waitFor();
    expect(await broken.getByRole('link', { name: 'Audit trail' }).getAttribute('href')).toContain(trail.id);
    await delivered.getByText(/^after /).click();
    const dialog = page.getByRole('dialog', { name: 'Security lake' });
    await dialog.getByText(/^Delivered after .*, with one attempt$/).waitFor();
    expect(await dialog.getByRole('listitem').first().textContent()).toMatch(/^Attempt 1Delivered.* · after a wait of/);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test('has a deleted destination only where the service has none, whatever the list has', async () => {
    const { page } = await openRecorded(`/events/${created.id}`, {
      ...responses,
      'GET /event_destinations/status': listOf('statuses', []),
      [`GET /event_destinations/${trail.id}`]: { id: trail.id, uri: '', description: 'Audit trail' },
    });
    const dialog = page.getByRole('dialog');
    await rowOf(page, lake.id).click();
    await dialog.getByText('deleted destination').waitFor();
    expect(await dialog.getByRole('link', { name: lake.id }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const read = page.waitForResponse((response) => response.url().endsWith(`/event_destinations/${trail.id}`));
    await rowOf(page, trail.id).click();
    await dialog.getByRole('link', { name: trail.id }).waitFor();
    await read;
    expect(await dialog.getByText('deleted destination').count()).toBe(0);
  });

  test('shows the bytes that a delivery sends, and says what is not kept', async () => {
    const sent = { ...created.payload, epoch: 1, sequence: 1 };
    const { page, complaints } = await openRecorded(`/events/${created.id}`, {
      ...responses,
      [`GET /events/${created.id}/deliveries/dlv_1/payload`]: sent,
    });
    await rowOf(page, 'Security lake')
      .getByText(/^after /)
      .click();
    const dialog = page.getByRole('dialog', { name: 'Security lake' });
    await dialog.getByText('What is sent, and the stored response').click();
    const bytes = dialog.getByRole('region', { name: 'The event as it is sent' });
    expect(await bytes.textContent()).toBe(JSON.stringify(sent));
    await dialog.getByRole('button', { name: 'Copy the bytes' }).waitFor();
    await dialog.getByText(/The request around it is not kept/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await rowOf(page, 'Security lake').and(page.locator(':focus')).waitFor();
    expect(complaints).toEqual([]);
  });

  test('of 66 destinations has a compact table below its JSON, with a filter', async () => {
    const many = Array.from({ length: 66 }, (_, index) => statusOf(index, { description: `Lake ${index}` }));
    const rejected = { state: 'rejected' as const, error: { code: 'TooLarge', message: 'The record is too large.' } };
    const { page, complaints } = await openRecorded(`/events/${created.id}`, {
      ...responses,
      'GET /event_destinations/status': listOf('statuses', many),
      [`GET /events/${created.id}/deliveries`]: listOf(
        'deliveries',
        many.map(({ id }, index) => deliveryOf(index, { destination_id: id, ...(index === 7 && rejected) })),
      ),
    });
    const grid = page.getByRole('grid', { name: 'Destinations of the event' });
    await grid.waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('67');
    await grid.locator('[data-index="0"]').getByText('Lake 7').waitFor();
    const heights = await grid.locator('[data-index]').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(44);
    const json = await page.getByRole('region', { name: 'Payload of the event' }).boundingBox();
    expect((await grid.boundingBox())?.y).toBeGreaterThan(json?.y ?? Infinity);
    await page.getByLabel('Filter the deliveries').fill('toolarge');
    await page.getByText('1 of 66 that were read match').waitFor();
    await rowOf(page, 'Lake 7').click();
    await page.getByRole('dialog', { name: 'Lake 7' }).getByText('The record is too large.').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('is copied, its attempts and its destination are opened by keyboard alone', async () => {
    const { page } = await open(created);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pressByKey(page, page.getByRole('button', { name: 'Copy as curl' }));
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`curl '${created.uri}'`);
    expect(command).toContain('Bearer $WAYBILL_API_KEY');
    const rows = page.getByRole('grid', { name: 'Destinations of the event' }).locator('[data-index]');
    await tabTo(page, rows.first());
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Security lake' }).getByText('Attempt 1').waitFor();
    await page.keyboard.press('Escape');
    await rowOf(page, 'Security lake').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(trail.id));
  });

  test('is left for the events before and after it by mouse', async () => {
    const { page } = await open(created, `?object_id=${policy}`);
    await page.getByRole('link', { name: 'Previous event' }).click();
    await page.getByRole('heading', { level: 1, name: 'ip_policy_updated.v0' }).waitFor();
    await page.getByRole('link', { name: 'Next event' }).click();
    await page.getByRole('heading', { level: 1, name: 'ip_policy_created.v0' }).waitFor();
    expect(new URL(page.url()).pathname).toContain(created.id);
  });

  test('that does not exist is said so', async () => {
    const { page } = await openRecorded(`/events/${idOf('evt', 9)}`, responses);
    await page.getByRole('heading', { name: 'No such event' }).waitFor();
    expect(await page.getByRole('region', { name: 'Payload of the event' }).count()).toBe(0);
  });
});
