import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../delivery/support/pipeline.js';
import type { Created, JsonObject } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';
import { pressByKey, tabTo } from './keyboard.js';

describe.skipIf(chromium === null)('an event', () => {
  let site: ConsoleSite;
  let policy: Created;
  let lake: Created;
  let trail: Created;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { events } = site;
    const { admin } = events.api;
    lake = await events.destination();
    await admin.patch(lake.path, { description: 'Security lake' });
    const broken = await events.destination();
    trail = broken;
    await admin.patch(trail.path, { description: 'Audit trail' });
    events.sandbox.script({ kind: 'deny', address: broken.arn });
    policy = await admin.create('/ip_policies', { description: 'Berlin', metadata: 'a' });
    await admin.patch(policy.path, { description: 'Berlin, Mitte' });
    await events.ended(lake.path, 'delivered', 1);
    await until(async () => (await admin.get(`${trail.path}/status`)).body.status === 'misconfigured', 'it is broken');
  });
  afterAll(() => site.close());

  /** Returns the newest event of the policy with the type. */
  async function eventOf(type: string): Promise<JsonObject> {
    const { body } = await site.events.api.admin.get(`/events?object_id=${policy.id}&type=${type}`);
    const [event] = body.events as readonly JsonObject[];
    return event as JsonObject;
  }

  test('says who, what, when, with which key and from where', async () => {
    const event = await eventOf('ip_policy_updated.v0');
    const page = await site.page({ role: 'auditor', path: `/events/${String(event.id)}` });
    await page.getByRole('heading', { level: 1, name: 'ip_policy_updated.v0' }).waitFor();
    const payload = event.payload as JsonObject;
    const principal = payload.principal as JsonObject;
    const { operation_id: operation } = payload.request as JsonObject;
    const facts = await page.locator('dl').first().textContent();
    for (const part of ['Who', String(principal.id), 'What', policy.id, 'version 2', 'When', 'With which key'])
      expect(facts).toContain(part);
    expect(facts).toContain(String((principal.credential as JsonObject).id));
    expect(facts).toContain(String(operation));
    await page.getByRole('link', { name: 'History of this resource' }).click();
    await page.getByText('2 events, all that match').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('that a publisher sent says when nobody is named, and who repaired it', async () => {
    const { admin } = site.events.api;
    await admin.create('/resource_types', { name: 'shop.user' });
    const repaired = { by: 'Ada', reason: 'the name was empty', at: new Date().toISOString() };
    const published = { type: 'shop.user_created.v0', resource_id: 'user-7', object: { name: 'Bob' }, repaired };
    const { body } = await admin.post('/events', { events: [published] });
    const [{ event_id: id } = {}] = body.events as { event_id?: string }[];
    const page = await site.page({ path: `/events/${id}` });
    await page.getByRole('heading', { level: 1, name: 'shop.user_created.v0' }).waitFor();
    const facts = await page.locator('dl').first().textContent();
    for (const part of ['unknown', 'the publisher named nobody', 'user-7', 'Repaired', 'Ada', 'the name was empty'])
      expect(facts).toContain(part);
    await page.getByRole('link', { name: 'Events of this principal' }).click();
    await page.getByText('1 event, all that match').waitFor();
    await expectAccessible(page);
  });

  test('shows before and after side by side', async () => {
    const event = await eventOf('ip_policy_updated.v0');
    const page = await site.page({ path: `/events/${String(event.id)}` });
    const row = page.getByRole('table', { name: 'Before and after' }).getByRole('row').filter({ hasText: 'Mitte' });
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      expect.stringMatching(/removed: {3}"description": "Berlin"/),
      expect.stringMatching(/added: {3}"description": "Berlin, Mitte"/),
    ]);
    await expectAccessible(page);
  });

  test('has what was created, and its JSON', async () => {
    const event = await eventOf('ip_policy_created.v0');
    const page = await site.page({ path: `/events/${String(event.id)}` });
    await page.getByText('It did not exist before.').waitFor();
    const json = await page.getByRole('region', { name: 'Payload of the event' }).textContent();
    expect(JSON.parse(json ?? '')).toEqual(event.payload);
  });

  test('has a row for each destination: attempts, waits, outcome', async () => {
    const event = await eventOf('ip_policy_created.v0');
    const page = await site.page({ path: `/events/${String(event.id)}` });
    const rows = page.getByRole('list', { name: 'Destinations of the event' }).locator('> li');
    const delivered = rows.filter({ hasText: 'Security lake' });
    const broken = rows.filter({ hasText: 'Audit trail' });
    await delivered.getByText(/^Delivered after .*, with one attempt$/).waitFor();
    expect(await delivered.getByRole('img').getAttribute('aria-label')).toMatch(/^Security lake: Delivered after/);
    await broken.getByText('Refused: misconfigured').waitFor();
    expect(await broken.textContent()).toContain('AccessDeniedException');
    await broken.getByText(/^in /).waitFor();
    await delivered.getByText('1 attempt').click();
    expect(await delivered.getByRole('listitem').first().textContent()).toMatch(
      /^Attempt 1Delivered.* · after a wait of/,
    );
    expect(await broken.getByRole('link', { name: 'Audit trail' }).getAttribute('href')).toContain(trail.id);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('is copied as a curl command', async () => {
    const event = await eventOf('ip_policy_created.v0');
    const page = await site.page({ path: `/events/${String(event.id)}` });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`curl '${site.events.api.baseUrl}/events/${String(event.id)}'`);
    expect(command).toContain('Bearer $WAYBILL_API_KEY');
  });

  test('that was rejected is redelivered by an operator, and not by an auditor', async () => {
    const { events } = site;
    const { admin } = events.api;
    const target = await events.destination();
    await admin.patch(target.path, { description: 'Strict' });
    // The target cannot read one of two events that are sent together.
    await admin.patch(target.path, { paused: { reason: 'two events together' } });
    const repair = events.sandbox.script({ kind: 'malformed', address: target.arn, contains: 'cannot be read' });
    const { id } = await admin.create('/ip_policies', { description: 'cannot be read' });
    await events.publish(1);
    await admin.patch(target.path, { paused: null });
    await events.ended(target.path, 'rejected', 1);
    const { body } = await admin.get(`/events?object_id=${id}`);
    const path = `/events/${String((body.events as readonly JsonObject[])[0]?.id)}`;

    const auditor = await site.page({ role: 'auditor', path });
    await auditor.getByText(/^Rejected after/).waitFor();
    expect(await auditor.getByRole('button', { name: /^Redeliver/ }).count()).toBe(0);

    repair();
    const operator = await site.page({ role: 'operator', path });
    await operator.getByRole('button', { name: 'Redeliver to Strict' }).click();
    await operator.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await pressByKey(operator, operator.getByRole('button', { name: 'Redeliver to Strict' }));
    await pressByKey(operator, operator.getByRole('alertdialog').getByRole('button', { name: 'Redeliver' }));
    await events.ended(target.path, 'delivered', 2);
    const row = operator.getByRole('listitem').filter({ hasText: 'Strict' });
    await row.getByText(/^Delivered after/).waitFor();
    expect(site.complaintsOf(operator)).toEqual([]);
  });

  test('that does not exist is said so', async () => {
    const page = await site.page({ path: '/events/evt_01jqz8y3s5e0kr6k4fvn0xw2ch' });
    await page.getByRole('heading', { name: 'No such event' }).waitFor();
    await expectAccessible(page);
  });

  test('of a type that nothing is subscribed to says that no destination received it', async () => {
    const event = await eventOf('ip_policy_updated.v0');
    const page = await site.page({ path: `/events/${String(event.id)}` });
    await page.getByText('No destination received this event').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('is left for the events before and after it by mouse', async () => {
    const event = await eventOf('ip_policy_created.v0');
    const page = await site.page({ path: `/events/${String(event.id)}?object_id=${policy.id}` });
    await page.getByRole('link', { name: 'Previous event' }).click();
    await page.getByRole('heading', { level: 1, name: 'ip_policy_updated.v0' }).waitFor();
    await page.getByRole('link', { name: 'Next event' }).click();
    await page.getByRole('heading', { level: 1, name: 'ip_policy_created.v0' }).waitFor();
    expect(new URL(page.url()).pathname).toContain(String(event.id));
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('is copied, its attempts are unfolded and its destination is opened by keyboard alone', async () => {
    const event = await eventOf('ip_policy_created.v0');
    const page = await site.page({ role: 'auditor', path: `/events/${String(event.id)}` });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pressByKey(page, page.getByRole('button', { name: 'Copy as curl' }));
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(String(event.id));
    const rows = page.getByRole('list', { name: 'Destinations of the event' }).locator('> li');
    const delivered = rows.filter({ hasText: 'Security lake' });
    expect(await delivered.getByText(/^Attempt 1/).isVisible()).toBe(false);
    await tabTo(page, delivered.locator('summary'));
    await page.keyboard.press('Enter');
    await delivered
      .getByText(/^Attempt 1/)
      .first()
      .waitFor();
    await pressByKey(page, rows.getByRole('link', { name: 'Audit trail' }));
    await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('shows the unchanged lines of its diff when it is asked to, by mouse and by keyboard', async () => {
    const { body } = await site.events.api.admin.get(`/events?object_id=${lake.id}&type=event_destination_updated.v0`);
    const [event] = body.events as readonly JsonObject[];
    const page = await site.page({ path: `/events/${String(event?.id)}` });
    const table = page.getByRole('table', { name: 'Before and after' });
    const fold = table.getByRole('button', { name: /^Show \d+ unchanged lines$/ }).first();
    await fold.waitFor();
    const folded = await table.getByRole('row').count();
    await fold.click();
    const shown = await table.getByRole('row').count();
    expect(shown).toBeGreaterThan(folded);
    await page.reload();
    await pressByKey(page, fold);
    expect(await table.getByRole('row').count()).toBe(shown);
    expect(site.complaintsOf(page)).toEqual([]);
  });
});
