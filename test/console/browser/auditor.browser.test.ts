import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Created, JsonObject } from '../../support/api-client.js';
import { chromium, ConsoleSite } from './console-site.js';
import { pathOf, screens, type Screen } from './screens.js';
import { populate } from './show-screens.js';

/** Names of the buttons and links that change something. An auditor saves views in the browser, and deletes exports. */
const changes =
  /^(?:Test|Pause|Resume|Redeliver|Backfill|Create|Change|Repair|Save the destination|Send|Cancel the backfill)(?! updates)\b/;

describe.skipIf(chromium === null)('an auditor in the console', () => {
  let site: ConsoleSite;
  let destination: Created;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    await populate(site);
    destination = await site.events.destination();
    await site.events.publish(1);
    await site.events.ended(destination.path, 'delivered', 1);
  });
  afterAll(() => site.close());

  /** Returns the names of what a page offers that changes something. */
  async function changesIn(page: Page): Promise<readonly string[]> {
    const texts = await Promise.all(
      (['button', 'link'] as const).map((role) => page.getByRole(role, { name: changes }).allTextContents()),
    );
    return texts.flat();
  }

  /** Opens screens one after another. Returns what they offer that changes something. */
  async function offeredTo(role: 'auditor' | 'admin', which: readonly Screen[]): Promise<readonly string[]> {
    const page = await site.page({ role });
    const offered: string[] = [];
    for (const screen of which) {
      await page.goto(`${site.url}${await pathOf(screen, site)}`);
      const refusal = page.getByRole('heading', { name: 'Your role cannot' });
      await page.getByText(screen.ready).or(refusal).first().waitFor();
      offered.push(...(await changesIn(page)));
    }
    return offered;
  }

  test('is offered no change on any page, and an admin is', async () => {
    const signedIn = screens.filter(({ signedOut }) => signedOut !== true);
    expect(await offeredTo('auditor', signedIn)).toEqual([]);
    const ofDestination = signedIn.filter(({ name }) => name === 'destination');
    expect(await offeredTo('admin', ofDestination)).toEqual(
      expect.arrayContaining(['Test', 'Pause', 'Redeliver', 'Backfill']),
    );
  });

  test('changes nothing by a hand-made request with the session of the page', async () => {
    const { admin } = site.events.api;
    const { path, id } = destination;
    const [event] = (await admin.get('/events?limit=1')).body.events as readonly JsonObject[];
    const requests: readonly (readonly [method: string, path: string, body?: JsonObject])[] = [
      ['PATCH', path, { description: 'changed' }],
      ['PATCH', path, { paused: { reason: 'none' } }],
      ['DELETE', path],
      ['POST', `${path}/test`],
      ['POST', `${path}/redeliveries`, { event_ids: [String(event?.id)] }],
      ['POST', `${path}/redeliveries`, { state: 'rejected' }],
      ['POST', `${path}/backfills`, { from: '2026-01-01T00:00:00Z' }],
      ['POST', '/event_destinations', { target: { monitoring: { api_key: '0'.repeat(32), site: 'datadoghq.eu' } } }],
      ['POST', '/event_subscriptions', { destination_ids: [id], sources: [{ type: 'ip_policy_deleted.v0' }] }],
      ['POST', '/api_keys', {}],
      ['POST', '/ip_policies', { description: 'made' }],
    ];
    const page = await site.page({ role: 'auditor' });
    const before = await stateOf(destination);
    for (const [method, target, body] of requests) {
      const answered = await send(page, method, target, body);
      expect(answered, `${method} ${target}`).toEqual({ status: 403, error_code: 'role_not_allowed' });
    }
    expect(await stateOf(destination)).toEqual(before);
    expect((await send(page, 'GET', path)).status).toBe(200);
  });

  /** Sends a request from a page, as its scripts do. */
  function send(page: Page, method: string, target: string, body?: JsonObject) {
    return page.evaluate<{ status: number; error_code?: string }>(
      `(async ([method, target, body]) => {
        const headers = { 'Service-Version': '2', ...(body && { 'Content-Type': 'application/json' }) };
        const response = await fetch(target, { method, headers, body: body && JSON.stringify(body) });
        const { error_code } = await response.json();
        return { status: response.status, error_code };
      })(${JSON.stringify([method, target, body])})`,
    );
  }

  /** What the requests would change. */
  async function stateOf({ path }: Created): Promise<unknown> {
    const { admin } = site.events.api;
    const read = async (list: string) => (await admin.get(list)).body;
    const lists = ['event_destinations', 'event_subscriptions', 'keys', 'ip_policies'];
    const ids = await Promise.all(
      lists.map(async (list) => {
        const items = (await read(list === 'keys' ? '/api_keys' : `/${list}`))[list] as readonly JsonObject[];
        return items.map(({ id }) => id);
      }),
    );
    return {
      ids,
      destination: await read(path),
      backfills: await read(`${path}/backfills`),
      deliveries: await site.events.deliveries(path),
    };
  }
});
