import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../tools/harness/until.js';
import type { Created, JsonObject } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';
import { pressByKey, tabTo } from './keyboard.js';
import { rejectOne } from './undelivered.js';

/** A key id that the sandbox refuses, and one that it accepts. */
const WRONG_KEY = 'AKIAWRONG00000000000';
const RIGHT_KEY = 'AKIAIOSFODNN7EXAMPLE';

describe.skipIf(chromium === null)('the page of a destination', () => {
  let site: ConsoleSite;
  let lake: Created & { readonly arn: string };
  beforeAll(async () => {
    // A checkpoint would be one more event of a destination.
    site = await ConsoleSite.open({ PROOF_CHECKPOINT_SECONDS: '86400' });
    const { events } = site;
    lake = await events.destination();
    await events.api.admin.patch(lake.path, { description: 'Security lake' });
    await events.publish(4);
    await events.ended(lake.path, 'delivered', 4);
    await rejectOne(events, lake, 5);
  });
  afterAll(() => site.close());

  async function statusOf(path: string): Promise<JsonObject> {
    return (await site.events.api.admin.get(`${path}/status`)).body;
  }

  /** Opens the page of a destination. */
  function open(path: string, role: 'admin' | 'operator' | 'auditor' = 'admin'): Promise<Page> {
    return site.page({ role, path: path.replace('/event_destinations', '/destinations') });
  }

  const state = (page: Page) => page.getByRole('region', { name: 'State' });
  const actions = (page: Page) => page.getByRole('group', { name: 'Actions' });

  /** Puts a text into the clipboard, and pastes it with the button beside a field. */
  async function paste(page: Page, field: string, text: string): Promise<void> {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.getByRole('button', { name: `Paste: ${field}` }).click();
    await until(
      async () => (await page.getByLabel(field, { exact: true }).inputValue()) === text,
      `${field} is pasted`,
    );
  }

  test('a misconfigured destination is found, repaired and drained by mouse alone', async () => {
    const { events } = site;
    const { admin } = events.api;
    const arn = 'arn:aws:kinesis:eu-central-1:123456789012:stream/payments';
    const creds = { cloud_access_key_id: WRONG_KEY, cloud_secret_access_key: 'secret' };
    const broken = await admin.create('/event_destinations', {
      description: 'Payments audit',
      target: { data_stream: { auth: { creds }, stream_arn: arn } },
    });
    await admin.create('/event_subscriptions', {
      destination_ids: [broken.id],
      sources: [{ type: 'ip_policy_deleted.v0' }],
    });
    for (let n = 0; n < 6; n += 1) await admin.delete((await admin.create('/ip_policies', {})).path);
    await until(async () => (await statusOf(broken.path)).status === 'misconfigured', 'the key is refused');

    const page = await site.page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('row', { name: /Payments audit.*Misconfigured/ }).waitFor();
    await page.getByRole('link', { name: 'Payments audit' }).click();
    await state(page).getByText('Misconfigured', { exact: true }).waitFor();
    await state(page)
      .getByText(/^Next attempt in \d+ /)
      .waitFor();
    await page.getByRole('button', { name: 'Repair the configuration' }).click();
    const form = page.getByRole('form', { name: 'Change the destination' });
    await paste(page, 'Access key id', RIGHT_KEY);
    await paste(page, 'Secret access key', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
    await form.getByRole('button', { name: 'Save the destination' }).click();
    await state(page).getByText('Healthy', { exact: true }).waitFor();
    const waiting = state(page).getByText('Waiting', { exact: true }).locator('..');
    await until(async () => (await waiting.textContent()) === 'Waiting0', 'the destination is drained');
    expect(events.arrivals(arn)).toHaveLength(6);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('the ribbon shows the rejected number, and leads to its attempts by keyboard', async () => {
    const [rejected] = await site.events.ended(lake.path, 'rejected', 1);
    const page = await open(lake.path, 'auditor');
    await page.getByRole('list', { name: 'States of the sequences' }).getByText('1 rejected').waitFor();
    const ribbon = page.getByRole('slider', { name: 'Sequence ribbon' });
    await ribbon.focus();
    await page.keyboard.press('Home');
    for (let number = 1; number < (rejected?.sequence ?? 0); number += 1) await page.keyboard.press('ArrowRight');
    expect(await ribbon.getAttribute('aria-valuetext')).toBe(`Sequence ${rejected?.sequence}: rejected`);
    await page.keyboard.press('Enter');
    const number = page.getByRole('region', { name: `Sequence ${rejected?.sequence}` });
    await number.getByRole('list', { name: 'Attempts' }).waitFor();
    expect(await number.textContent()).toContain(rejected?.event_id);
    expect(new URL(page.url()).searchParams.get('number')).toBe(String(rejected?.sequence));
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('a claimed batch of a paused destination waits, and no number is missing', async () => {
    const { events } = site;
    const { admin } = events.api;
    const held = await events.destination();
    await events.publish(2);
    await events.ended(held.path, 'delivered', 2);
    await admin.patch(held.path, { paused: { reason: 'until the batch is whole' } });
    await events.publish(3);
    // The target does not respond: the batch keeps its deliveries, whose rows have no number yet.
    events.sandbox.script({ kind: 'timeout', address: held.arn });
    await admin.patch(held.path, { paused: null });
    await until(async () => (await statusOf(held.path)).in_flight === 3, 'the batch is claimed');
    await admin.patch(held.path, { paused: { reason: 'while a batch is claimed' } });

    const page = await open(held.path);
    const states = page.getByRole('list', { name: 'States of the sequences' });
    await states.getByText('3 waiting').waitFor();
    expect(await states.getByRole('listitem').allTextContents()).toEqual(['3 waiting', '2 delivered']);
    expect(await page.getByText(/have no delivery/).count()).toBe(0);
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByRole('row', { name: /In flight 5 / }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('deliveries are filtered, and one is opened with what the vendor responded, by keyboard', async () => {
    const page = await open(lake.path, 'auditor');
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('grid', { name: 'Deliveries' }).waitFor();
    await page.getByRole('button', { name: 'Rejected', exact: true }).click();
    await until(async () => (await page.getByRole('grid').locator('[data-index]').count()) === 1, 'one row');
    expect(new URL(page.url()).search).toBe('?tab=deliveries&state=rejected');
    await page.keyboard.press('/');
    expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Event type');
    await page.keyboard.type('ip_policy_created.v0');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /ip_policy_created\.v0/ });
    await dialog.getByRole('list', { name: 'Attempts' }).getByText('Rejected').first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Redeliver this event' }).count()).toBe(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a change says who made it and what it changed, and a conflict keeps what was typed', async () => {
    const { admin } = site.events.api;
    const { id, path } = await site.events.destination();
    const page = await open(`${path}?tab=settings&edit=target`);
    const form = page.getByRole('form', { name: 'Change the destination' });
    const save = form.getByRole('button', { name: 'Save the destination' });
    await expectAccessible(page);
    await save.click();
    await form.getByText('Nothing has changed').waitFor();
    await form.getByLabel('Description').fill('Mine');
    const { body } = await admin.patch(path, { description: 'Theirs' });
    expect(body.id).toBe(id);
    await save.click();
    const conflict = form.getByRole('alert');
    await conflict.getByText('another person has changed').waitFor();
    await conflict.getByText('Theirs').waitFor();
    await conflict.getByRole('button', { name: 'Read the destination again' }).click();
    await conflict.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Description').inputValue()).toBe('Mine');
    await save.click();
    const change = page.getByRole('group', { name: 'Last change' });
    await change.getByText('Mine').waitFor();
    expect(await change.textContent()).toMatch(/description: Theirs → Mine/);
    expect(await change.getByRole('link', { name: 'All changes' }).getAttribute('href')).toContain(id);
    expect((await admin.get(path)).body.description).toBe('Mine');
  });

  test('a conflict keeps the change of the other person in a field that was not typed', async () => {
    const { admin } = site.events.api;
    const { path } = await site.events.destination();
    const page = await open(`${path}?tab=settings&edit=target`);
    const form = page.getByRole('form', { name: 'Change the destination' });
    const save = form.getByRole('button', { name: 'Save the destination' });
    await form.getByLabel('Description').fill('Mine');
    const creds = { cloud_access_key_id: RIGHT_KEY, cloud_secret_access_key: 'secret' };
    const theirs = 'arn:aws:kinesis:eu-central-1:123456789012:stream/theirs';
    const { status } = await admin.patch(path, { target: { data_stream: { auth: { creds }, stream_arn: theirs } } });
    expect(status).toBe(200);
    await save.click();
    await form.getByRole('button', { name: 'Read the destination again' }).click();
    await form.getByText('Fields that you did not change have the newest values.').waitFor();
    expect(await form.getByLabel('ARN of the data stream', { exact: true }).inputValue()).toBe(theirs);
    await save.click();
    await page.getByText(/^\s*Saved \d{4}-/).waitFor();
    const { body } = await admin.get(path);
    expect(body).toMatchObject({ description: 'Mine', target: { data_stream: { stream_arn: theirs } } });

    // Edits that were kept while the form was closed are edits of the version before.
    const mine = 'arn:aws:kinesis:eu-central-1:123456789012:stream/mine';
    await page.getByRole('button', { name: 'Change the destination' }).click();
    await form.getByLabel('ARN of the data stream', { exact: true }).fill(mine);
    const address = page.url();
    await page.getByRole('link', { name: 'Exports' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor();
    await admin.patch(path, { description: 'Theirs' });
    await page.goto(address);
    await form.getByText('What you changed before is still here').waitFor();
    expect(await form.getByLabel('Description').inputValue()).toBe('Theirs');
    await save.click();
    await form.getByRole('button', { name: 'Read the destination again' }).click();
    await form.getByText('Fields that you did not change have the newest values.').waitFor();
    await save.click();
    await page.getByText(/^\s*Saved \d{4}-/).waitFor();
    const { body: last } = await admin.get(path);
    expect(last).toMatchObject({ description: 'Theirs', target: { data_stream: { stream_arn: mine } } });
  });

  test('after a conflict, an access key id is not saved with the stored secret of the other person', async () => {
    const { admin } = site.events.api;
    const { path, arn } = await site.events.destination();
    const page = await open(`${path}?tab=settings&edit=target`);
    const form = page.getByRole('form', { name: 'Change the destination' });
    const save = form.getByRole('button', { name: 'Save the destination' });
    const [id, secret] = [
      form.getByLabel('Access key id', { exact: true }),
      form.getByLabel('Secret access key', { exact: true }),
    ];
    await id.fill('AKIAMINE000000000000');
    await secret.fill('m'.repeat(40));
    const auth = { creds: { cloud_access_key_id: 'AKIATHEIRS0000000000', cloud_secret_access_key: 'secret' } };
    await admin.patch(path, { target: { data_stream: { auth, stream_arn: arn } } });
    await save.click();
    await secret.fill('');
    await form.getByRole('button', { name: 'Read the destination again' }).click();
    await form.getByText('The stored secret may belong to other credentials.').waitFor();
    expect(await id.inputValue()).toBe('AKIAMINE000000000000');
    await form.getByText('Secret access key: not filled in yet').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await id.fill('AKIATHEIRS0000000000');
    await form.getByText('Secret access key: not filled in yet').waitFor({ state: 'detached' });
    await id.fill('AKIAMINE000000000000');
    await secret.fill('m'.repeat(40));
    await save.click();
    await page.getByText(/^\s*Saved \d{4}-/).waitFor();
    expect((await admin.get(path)).body).toMatchObject({
      target: { data_stream: { auth: { creds: { cloud_access_key_id: 'AKIAMINE000000000000' } } } },
    });
  });

  test('a rejected event is redelivered from its page by an operator, and not by an auditor', async () => {
    const { events } = site;
    const target = await events.destination();
    await events.api.admin.patch(target.path, { description: 'Strict' });
    await rejectOne(events, target, 1);
    const [rejected] = await events.ended(target.path, 'rejected', 1);
    const path = `/events/${rejected?.event_id}`;

    const opened = async (role: 'auditor' | 'operator') => {
      const page = await site.page({ role, path });
      await page.getByRole('gridcell', { name: 'Rejected', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Strict' });
      await dialog.getByText(/^Rejected after/).waitFor();
      return { page, dialog };
    };
    const auditor = await opened('auditor');
    expect(await auditor.dialog.getByRole('button', { name: /^Redeliver/ }).count()).toBe(0);

    const { page: operator, dialog } = await opened('operator');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await operator.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await pressByKey(operator, dialog.getByRole('button', { name: 'Redeliver' }));
    await pressByKey(operator, operator.getByRole('alertdialog').getByRole('button', { name: 'Redeliver' }));
    await events.ended(target.path, 'delivered', 2);
    await dialog.getByText(/^Delivered after/).waitFor();
    expect(site.complaintsOf(operator)).toEqual([]);
  });

  test('a backfill shows its progress, and is cancelled', async () => {
    const slow = await site.events.destination();
    // It waits for the end of the pause.
    await site.events.api.admin.patch(slow.path, { paused: { reason: 'until it is cancelled' } });
    const page = await open(slow.path, 'operator');
    await page.getByText('No event has a sequence yet').waitFor();
    await actions(page).getByRole('button', { name: 'Backfill', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Backfill earlier events to / });
    await dialog.getByLabel('Events from').fill('2026-01-01T00:00');
    await dialog.getByLabel('Events per second').fill('1');
    await dialog.getByRole('button', { name: 'Count the events' }).click();
    await dialog.getByRole('button', { name: /^Send up to \d+ events$/ }).click();
    const backfills = page.getByRole('region', { name: 'Backfills' });
    await backfills.getByRole('progressbar', { name: 'Queued or skipped' }).waitFor();
    await backfills.getByRole('button', { name: 'Cancel the backfill' }).click();
    await backfills.getByText('Cancelled', { exact: true }).waitFor();
    const { body } = await site.events.api.admin.get(`${slow.path}/backfills`);
    expect(body.backfills).toContainEqual(expect.objectContaining({ state: 'cancelled', events_per_second: 1 }));
  });

  test('an operator tests, pauses, resumes, redelivers and backfills by keyboard', async () => {
    const { events } = site;
    const target = await events.destination();
    await rejectOne(events, target, 1);
    const page = await open(target.path, 'operator');
    const button = (name: string) => actions(page).getByRole('button', { name, exact: true });
    await pressByKey(page, button('Test'));
    const dialog = page.getByRole('dialog');
    await pressByKey(page, dialog.getByRole('button', { name: 'Send a test event' }));
    await dialog.getByText('Delivered', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await pressByKey(page, button('Pause'));
    await dialog.getByText('Fill in the reason.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Pause' }).isDisabled()).toBe(true);
    await tabTo(page, dialog.getByLabel('Reason'));
    await page.keyboard.type('By keyboard');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await pressByKey(page, dialog.getByRole('button', { name: 'Close' }));
    await state(page).getByText('By keyboard').waitFor();
    expect(await button('Test').isDisabled()).toBe(true);
    await pressByKey(page, button('Resume'));
    await pressByKey(page, dialog.getByRole('button', { name: 'Resume' }));
    await pressByKey(page, dialog.getByRole('button', { name: 'Close' }));
    await state(page).getByText('Healthy', { exact: true }).waitFor();
    expect((await statusOf(target.path)).paused).toBeNull();

    await pressByKey(page, button('Redeliver'));
    await dialog.getByText('1 rejected event').waitFor();
    await expectAccessible(page);
    await tabTo(page, dialog.getByRole('radio', { name: 'Rejected' }));
    await page.keyboard.press('ArrowDown');
    expect(await dialog.getByRole('radio', { name: 'Expired' }).isChecked()).toBe(true);
    await dialog.getByText('There is nothing to redeliver.').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await dialog.getByRole('radio', { name: 'Delivered' }).isChecked()).toBe(true);
    await dialog.getByText('Fill in “Events from”.').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await tabTo(page, dialog.getByRole('button', { name: 'Redeliver 1' }));
    // By mouse: no other test clicks in this dialog.
    await dialog.getByRole('button', { name: 'Redeliver 1' }).click();
    await page.getByText('1 event was queued again.').waitFor();
    // Two events and the test.
    await events.ended(target.path, 'delivered', 3);

    await pressByKey(page, button('Backfill'));
    await dialog.getByText('Fill in “Events from”.').waitFor();
    await tabTo(page, dialog.getByLabel('Events from'));
    // Month, day and year; the hours are a part of their own.
    await page.keyboard.type('01012026');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('1200AM');
    expect(await dialog.getByLabel('Events from').inputValue()).toBe('2026-01-01T00:00');
    await pressByKey(page, dialog.getByRole('button', { name: 'Count the events' }));
    await dialog.getByText(/events match/).waitFor();
    await expectAccessible(page);
    const send = dialog.getByRole('button', { name: /^Send up to \d+ events$/ });
    const count = Number(/\d+/.exec((await send.textContent()) ?? '')?.[0]);
    await pressByKey(page, send);
    await page.getByRole('region', { name: 'Backfills' }).getByText('Finished', { exact: true }).waitFor();
    // Each event once, also the two that it had, and the test.
    await events.ended(target.path, 'delivered', count + 1);
    expect(events.arrivals(target.arn)).toHaveLength(count + 1);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('an admin changes the settings by keyboard, and copies the id by mouse', async () => {
    const named = await site.events.destination();
    const page = await open(named.path);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Copy the id' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(named.id);
    await pressByKey(page, page.getByRole('button', { name: 'Change the destination' }));
    await tabTo(page, page.getByLabel('Description', { exact: true }));
    await page.keyboard.type('Named by keyboard');
    await page.keyboard.press('Enter');
    await page.getByText(/^\s*Saved \d{4}-/).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Named by keyboard' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('a destination without a subscription says so, and leads to the choice of its events', async () => {
    const creds = { cloud_access_key_id: RIGHT_KEY, cloud_secret_access_key: 'secret' };
    const { path } = await site.events.api.admin.create('/event_destinations', {
      target: { data_stream: { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/idle' } },
    });
    const auditor = await open(path, 'auditor');
    await auditor.getByText('It receives no events: no subscription names it.').waitFor();
    expect(await auditor.getByRole('button', { name: 'Choose events' }).count()).toBe(0);
    const page = await open(path);
    await page.getByRole('button', { name: 'Choose events' }).click();
    await page.getByRole('checkbox', { name: 'ip_policy_created.v0' }).check();
    await page.getByRole('button', { name: 'Create the subscription' }).click();
    await page.getByRole('link', { name: 'Open the destination' }).click();
    await actions(page).waitFor();
    expect(await page.getByText('It receives no events').count()).toBe(0);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('the types and filters of a subscription are changed, and a change of another person is not overwritten', async () => {
    const { admin } = site.events.api;
    const creds = { cloud_access_key_id: RIGHT_KEY, cloud_secret_access_key: 'secret' };
    const stream = 'arn:aws:kinesis:eu-central-1:123456789012:stream/changed';
    const { id, path } = await admin.create('/event_destinations', {
      target: { data_stream: { auth: { creds }, stream_arn: stream } },
    });
    const subscription = await admin.create('/event_subscriptions', {
      destination_ids: [id],
      sources: [
        { type: 'bot_user_deleted.v0', filter: 'object.name == "a"', fields: { exclude: ['/request'] } },
        { type: 'bot_user_created.v0' },
      ],
    });
    const sources = async () => {
      const { body } = await admin.get(subscription.path);
      return (body.sources as readonly JsonObject[]).map(({ uri: _uri, ...source }) => source);
    };
    const page = await open(`${path}?tab=settings`);
    await page.getByRole('link', { name: 'Change the subscription' }).click();
    expect(await page.getByLabel('Filter of bot_user_deleted.v0', { exact: true }).inputValue()).toBe(
      'object.name == "a"',
    );
    await page.getByText('Examples of conditions').first().click();
    await page.getByText('has(changes.after.cidr)').first().waitFor();
    const members = page.getByRole('link', { name: 'the API documentation' }).first();
    expect(await members.getAttribute('href')).toBe('/docs#/event%20types/getEventType');
    await page.getByRole('checkbox', { name: 'bot_user_created.v0' }).uncheck();
    await page.getByRole('checkbox', { name: 'bot_user_updated.v0' }).check();
    await expectAccessible(page);

    await admin.patch(subscription.path, { description: 'of another person' });
    await page.getByRole('button', { name: 'Save the subscription' }).click();
    const refusal = { error_code: 'role_not_allowed', detail: 'Refused.', operation_id: 'op_1' };
    const refuse = (route: Route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 403, json: refusal }) : route.fallback();
    await page.route(`**${subscription.path}`, refuse);
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByText('The subscription could not be read').waitFor();
    expect(await page.getByRole('checkbox', { name: 'bot_user_updated.v0' }).isChecked()).toBe(true);
    await page.unroute(`**${subscription.path}`, refuse);
    await page.getByRole('link', { name: 'Back to the destination' }).click();
    await page
      .getByRole('alertdialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByText('of another person').waitFor();
    expect(await sources()).toHaveLength(2);

    await page.getByRole('checkbox', { name: 'bot_user_created.v0' }).uncheck();
    await page.getByRole('checkbox', { name: 'bot_user_updated.v0' }).check();
    await page.getByRole('button', { name: 'Save the subscription' }).click();
    await page.getByRole('heading', { name: 'Events that it receives' }).waitFor();
    expect(await sources()).toEqual([
      { type: 'bot_user_deleted.v0', filter: 'object.name == "a"', fields: { exclude: ['/request'] } },
      { type: 'bot_user_updated.v0' },
    ]);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('a destination is deleted after a question that names it, with its part in subscriptions', async () => {
    const { admin } = site.events.api;
    const creds = { cloud_access_key_id: RIGHT_KEY, cloud_secret_access_key: 'secret' };
    const stream = 'arn:aws:kinesis:eu-central-1:123456789012:stream/deleted';
    const deleted = await admin.create('/event_destinations', {
      description: 'Old lake',
      target: { data_stream: { auth: { creds }, stream_arn: stream } },
    });
    const sources = [{ type: 'bot_user_deleted.v0' }];
    const own = await admin.create('/event_subscriptions', { destination_ids: [deleted.id], sources });
    const shared = await admin.create('/event_subscriptions', { destination_ids: [deleted.id, lake.id], sources });
    const page = await open(`${deleted.path}?tab=settings`);
    await page.getByRole('button', { name: 'Delete the destination' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Old lake' });
    await dialog.getByText('Its subscription is deleted.').waitFor();
    await dialog.getByText('It is removed from a subscription with other destinations.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await admin.get(deleted.path)).status).toBe(200);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Delete the destination' }).waitFor();

    await page.getByRole('button', { name: 'Delete the destination' }).click();
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect([(await admin.get(deleted.path)).status, (await admin.get(own.path)).status]).toEqual([404, 404]);
    await other.getByText('The account has no destination with this id').waitFor();
    const { destinations } = (await admin.get(shared.path)).body as { destinations: readonly JsonObject[] };
    expect(destinations.map(({ id }) => id)).toEqual([lake.id]);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('an auditor sees everything, and no button that changes anything', async () => {
    const page = await open(`${lake.path}?tab=settings&edit=target`, 'auditor');
    await page.getByText('Your role cannot change it.').waitFor();
    await page.getByRole('heading', { name: 'Events that it receives' }).waitFor();
    expect(await actions(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Change|Save|Repair|Redeliver|Delete|Pause$/ }).count()).toBe(0);
    expect(site.complaintsOf(page)).toEqual([]);
  });
});
