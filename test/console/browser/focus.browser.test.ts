import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../../src/accounts/token.js';
import { newId } from '../../../src/ids/id.js';
import type { JsonObject } from '../../support/api-client.js';
import { chromium, ConsoleSite } from './console-site.js';
import { holdRequests } from './held-request.js';

const STREAM = 'arn:aws:kinesis:eu-central-1:123456789012:stream/orders';
const ROLE = 'arn:aws:iam::123456789012:role/waybill-events';
const TYPE = 'ip_policy_created.v0';

describe.skipIf(chromium === null)('the focus of the keyboard', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.open();
  });
  afterAll(() => site.close());

  /** Returns the element with the focus: its name in HTML, and its text. */
  function focusOf(page: Page): Promise<string> {
    return page.evaluate('`${document.activeElement?.localName}: ${document.activeElement?.textContent}`');
  }

  async function countOf(list: string): Promise<number> {
    const { body } = await site.events.api.admin.get(`/${list}`);
    return (body[list] as readonly JsonObject[]).length;
  }

  test('stays on the button of the sign-in while the key is checked, and after it was refused', async () => {
    const page = await site.page({ role: null });
    const held = await holdRequests(page, 'POST', '/session');
    await page.getByLabel('API key').fill(mintToken(newId('ak')));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await held.sent;
    await page.getByRole('button', { name: 'Signing in' }).waitFor();
    expect(await focusOf(page)).toBe('button: Signing in');
    held.release();
    await page.getByRole('alert').waitFor();
    expect(await focusOf(page)).toBe('button: Sign in');
  });

  test('stays on the buttons that create a destination, and comes to the heading of the step after them', async () => {
    const page = await site.page({ path: '/destinations/new' });
    const destination = await holdRequests(page, 'POST', '/event_destinations');
    await page.getByLabel('ARN of the data stream', { exact: true }).fill(STREAM);
    await page.getByLabel('ARN of the role', { exact: true }).fill(ROLE);
    await page.getByRole('button', { name: 'Create the destination' }).click();
    await destination.sent;
    expect(await focusOf(page)).toBe('button: Create the destination');
    await page.keyboard.press('Enter');
    destination.release();
    await page.locator('#step-credentials:focus').waitFor();
    expect(await focusOf(page)).toBe('h2: 2 Credentials');
    expect(await countOf('event_destinations')).toBe(1);

    const subscription = await holdRequests(page, 'POST', '/event_subscriptions');
    await page.getByRole('checkbox', { name: TYPE }).check();
    await page.getByRole('button', { name: 'Create the subscription' }).click();
    await subscription.sent;
    expect(await focusOf(page)).toBe('button: Create the subscription');
    await page.keyboard.press('Enter');
    subscription.release();
    await page.locator('#step-subscription:focus').waitFor();
    expect(await countOf('event_subscriptions')).toBe(1);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('stays on the button that saves a destination, and comes to what was saved', async () => {
    const { id } = await site.events.destination();
    const page = await site.page({ path: `/destinations/${id}?tab=settings&edit=target` });
    const held = await holdRequests(page, 'PATCH', `/${id}`);
    await page.getByLabel('Description').fill('Security lake');
    await page.getByRole('button', { name: 'Save the destination' }).click();
    await held.sent;
    expect(await focusOf(page)).toBe('button: Save the destination');
    held.release();
    await page.locator('#target:focus').waitFor();
    expect(await focusOf(page)).toBe('h2: Kinesis Data Streams');
    await page.getByRole('heading', { level: 1, name: 'Security lake' }).waitFor();
  });

  test('stays on the button that counts earlier events', async () => {
    const { id } = await site.events.destination();
    const page = await site.page({ path: `/destinations/${id}` });
    await page.getByRole('button', { name: 'Backfill' }).click();
    const dialog = page.getByRole('dialog', { name: 'Backfill earlier events' });
    const held = await holdRequests(page, 'POST', '/backfills');
    await dialog.getByLabel('Events from').fill('2026-01-01T00:00');
    await dialog.getByRole('button', { name: 'Count the events' }).click();
    await held.sent;
    expect(await focusOf(page)).toBe('button: Count the events');
    held.release();
    await dialog.getByText(/events match/).waitFor();
    expect(await focusOf(page)).toBe('button: Count the events');
  });
});
