import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { finishDeliveries } from '../delivery/support/finished.js';
import type { JsonObject, TestClient } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const PATH = '/event_destinations/deliveries';
/** Events, each with a delivery to two destinations. */
const EVENTS = 12;

interface Delivery extends JsonObject {
  readonly id: string;
  readonly event_id: string;
  readonly destination_id: string;
  readonly state: string;
}

let api: TestApi;
let destinations: readonly { readonly id: string; readonly path: string }[];
let subscription: { readonly path: string };
/** Every delivery of the account, newest first. */
let all: readonly Delivery[];

async function listed(query: string, client: TestClient = api.admin, path = PATH): Promise<readonly Delivery[]> {
  const found: Delivery[] = [];
  for (let next: unknown = `${path}?${query}`; typeof next === 'string';) {
    const { status, body, text } = await client.get(next);
    expect(status, text).toBe(200);
    found.push(...(body.deliveries as Delivery[]));
    next = body.next_page_uri;
  }
  return found;
}

const numberOf = ({ id }: Delivery) => Number(id.slice('dlv_'.length));

async function everyDelivery(): Promise<readonly Delivery[]> {
  const lists = await Promise.all(destinations.map(({ path }) => listed('', api.admin, `${path}/deliveries`)));
  return lists.flat().toSorted((one, other) => numberOf(other) - numberOf(one));
}

beforeAll(async () => {
  api = await startTestApi();
  const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
  const target = { data_stream: { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/s' } };
  const create = () => api.admin.create('/event_destinations', { target });
  destinations = [await create(), await create()];
  subscription = await api.admin.create('/event_subscriptions', {
    destination_ids: destinations.map(({ id }) => id),
    sources: [{ type: 'ip_policy_created.v0' }],
  });
  for (let count = 0; count < EVENTS; count += 1) await api.admin.create('/ip_policies', {});
  const events = [...new Set((await everyDelivery()).map(({ event_id: id }) => id))];
  const states = ['delivered', 'rejected', 'expired', 'rejected', 'cancelled', null] as const;
  for (const [index, id] of events.entries()) {
    const state = states[index % states.length] ?? null;
    if (state !== null) await finishDeliveries(api.store, [id], { state });
  }
  all = await everyDelivery();
});
afterEach(() => api.store.pool.query('truncate retention_marks'));
afterAll(() => api.close());

const ended = (delivery: Delivery) => ['rejected', 'expired'].includes(delivery.state);

it('lists what was rejected and what expired, of every destination, newest first', async () => {
  const expected = all.filter(ended);
  expect(all.map(({ state }) => state)).toEqual(expect.arrayContaining(['delivered', 'cancelled']));
  const kinds = expected.map((delivery) => `${delivery.state} ${delivery.destination_id}`);
  expect(new Set(kinds).size).toBe(4);
  expect(await listed('')).toEqual(expected);
});

it.each([
  ['state=rejected', ({ state }: Delivery) => state === 'rejected'],
  ['state=expired', ({ state }: Delivery) => state === 'expired'],
])('lists only those in a state: %s', async (query, passes) => {
  const expected = all.filter(passes);
  expect(expected.length).toBeGreaterThan(2);
  expect(await listed(query)).toEqual(expected);
});

it('lists only those of one or more destinations, in a state or any', async () => {
  const [first, second] = destinations.map(({ id }) => id);
  const ofFirst = all.filter(({ destination_id: id }) => id === first);
  expect(await listed(`destination_id=${first}`)).toEqual(ofFirst.filter(ended));
  expect(await listed(`destination_id=${first}&state=expired&limit=1`)).toEqual(
    ofFirst.filter(({ state }) => state === 'expired'),
  );
  const both = `destination_id=${first}&destination_id=${second}&destination_id=${first}&destination_id=nonsense`;
  expect(await listed(both)).toEqual(all.filter(ended));
  expect(await listed('destination_id=nonsense')).toEqual([]);
});

it('comes in pages, each of which repeats the filters', async () => {
  const first = await api.admin.get(`${PATH}?limit=2&state=rejected&destination_id=${destinations[0]?.id}`);
  expect(first.body.uri).toBe(`${api.baseUrl}${PATH}`);
  expect(first.body.next_page_uri).toContain(`state=rejected&destination_id=${destinations[0]?.id}&`);
  for (const limit of [1, 2, 3, 5]) expect(await listed(`limit=${limit}`)).toEqual(all.filter(ended));
});

it('continues behind a delivery that does not exist any more', async () => {
  const newest = all.find(ended);
  const between = newest ? numberOf(newest) - 1 : 0;
  expect(await listed(`before_id=dlv_${between}`)).toEqual(
    all.filter((delivery) => ended(delivery) && numberOf(delivery) < between),
  );
  expect(await listed('before_id=dlv_0')).toEqual([]);
});

it('shows nothing to another account, also where it names the destination', async () => {
  const stranger = await api.addAccount();
  for (const query of ['', 'state=rejected', `destination_id=${destinations[0]?.id}`])
    expect(await listed(query, stranger)).toEqual([]);
});

describe('the counts', () => {
  interface Count extends JsonObject {
    readonly id: string;
    readonly rejected: number;
    readonly expired: number;
  }

  async function counted(query: string, client: TestClient = api.admin): Promise<readonly Count[]> {
    const found: Count[] = [];
    for (let next: unknown = `${PATH}/counts?${query}`; typeof next === 'string';) {
      const { status, body, text } = await client.get(next);
      expect(status, text).toBe(200);
      found.push(...(body.counts as Count[]));
      next = body.next_page_uri;
    }
    return found;
  }

  const countOf = (id: string, state: string) =>
    all.filter((delivery) => delivery.destination_id === id && delivery.state === state).length;

  it('have every destination with such deliveries, newest first, also page by page', async () => {
    const expected = destinations
      .map(({ id }) => [id, countOf(id, 'rejected'), countOf(id, 'expired')] as const)
      .toSorted(([one], [other]) => (one < other ? 1 : -1));
    for (const query of ['', 'limit=1'])
      expect((await counted(query)).map(({ id, rejected, expired }) => [id, rejected, expired])).toEqual(expected);
    expect(await counted('', await api.addAccount())).toEqual([]);
  });

  it('have each reason with its number', async () => {
    const id = destinations[0]?.id ?? '';
    await api.store.pool.query(
      `update finished_deliveries set error_code = 'Malformed', error_message = 'It was refused.'
       where destination_id = $1 and state = 'rejected'`,
      [id],
    );
    const found = (await counted('')).find((one) => one.id === id);
    expect(found?.is_lower_bound).toBe(false);
    expect(found?.reasons).toEqual([
      { state: 'rejected', code: 'Malformed', message: 'It was refused.', count: countOf(id, 'rejected') },
      { state: 'expired', code: null, message: null, count: countOf(id, 'expired') },
    ]);
  });

  it('are of the events since a time', async () => {
    const zero = { rejected: 0, expired: 0, reasons: [], is_lower_bound: false };
    const later = await counted(`from=${new Date(Date.now() + 60_000).toISOString()}`);
    expect(later).toEqual(destinations.toReversed().map(({ id }) => expect.objectContaining({ id, ...zero })));
  });

  it.each(['from=yesterday', 'before_id=dlv_1', 'state=rejected'])('refuse %s', async (query) => {
    expect((await api.admin.get(`${PATH}/counts?${query}`)).status).toBe(400);
  });
});

it('says since when it is complete', async () => {
  const since = async () => (await api.admin.get(PATH)).body.complete_since;
  expect(await since()).toBeUndefined();
  await api.store.pool.query(
    `insert into retention_marks (kind, complete_since) values ('deliveries', now() + interval '1 day'), ('events', now())`,
  );
  const { rows } = await api.store.pool.query<{ at: Date }>(
    `select complete_since as at from retention_marks where kind = 'deliveries'`,
  );
  expect(await since()).toBe(rows[0]?.at.toISOString());
});

it('does not have a delivery while it is redelivered', async () => {
  const before = await listed('');
  const redelivered = before.find(({ state }) => state === 'rejected');
  const path = destinations.find(({ id }) => id === redelivered?.destination_id)?.path ?? '';
  const { status } = await api.admin.post(`${path}/redeliveries`, { event_ids: [redelivered?.event_id] });
  expect(status).toBe(202);
  expect(await listed('')).toEqual(before.filter(({ id }) => id !== redelivered?.id));
  await finishDeliveries(api.store, [redelivered?.event_id ?? ''], { state: 'expired' });
  expect((await listed('state=expired')).map(({ id }) => id)).toContain(redelivered?.id);
});

it.each([
  ['state=delivered', '?state'],
  ['state=cancelled', '?state'],
  ['state=', '?state'],
  ['state=rejected&state=expired', '?state'],
  ['before_id=evt_1', '?before_id'],
  ['before_id=dlv_', '?before_id'],
  ['before_id=dlv_1e3', '?before_id'],
  ['limit=101', '?limit'],
  ['destination_id=', '?destination_id'],
  ['colour=red', '?colour'],
  [Array.from({ length: 11 }, (_, index) => `destination_id=${index}`).join('&'), '?destination_id'],
])('refuses %s, and names the parameter', async (query, pointer) => {
  const { status, body, text } = await api.admin.get(`${PATH}?${query}`);
  expect([status, body.error_code], text).toEqual([400, 'invalid_input']);
  const [error] = body.errors as readonly { pointer: string }[];
  expect(error?.pointer.startsWith(pointer)).toBe(true);
});

it('keeps what ended before its destination was deleted, and not what waited', async () => {
  const [deleted] = destinations;
  const before = await listed('');
  const ofDeleted = before.filter(({ destination_id: id }) => id === deleted?.id).map(({ id }) => id);
  expect(ofDeleted.length).toBeGreaterThan(2);
  await api.admin.patch(subscription.path, { destination_ids: [destinations[1]?.id] });
  expect((await api.admin.delete(deleted?.path ?? '')).status).toBe(204);
  expect((await listed('')).map(({ id, state }) => [id, state])).toEqual(before.map(({ id, state }) => [id, state]));
  const kept = await listed(`destination_id=${deleted?.id}`);
  expect(kept.map(({ id }) => id)).toEqual(ofDeleted);
  expect(kept.map(({ epoch }) => epoch)).toEqual(kept.map(() => null));
});
