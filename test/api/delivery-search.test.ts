import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertMissing } from '../../src/delivery/fan-out/insert-deliveries.js';
import { finishDeliveries } from '../delivery/support/finished.js';
import type { JsonObject, TestClient } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

interface Delivery extends JsonObject {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: string;
  readonly sequence: number | null;
}

interface Event {
  readonly id: string;
  readonly created_at: string;
  readonly type: string;
  readonly resource_id: string;
  readonly payload: {
    readonly principal: { readonly id: string; readonly credential: { readonly id: string } | null };
    readonly changes?: { readonly before: object; readonly after: object };
    readonly request: { readonly operation_id: string };
  };
}

type Query = Readonly<Record<string, string | readonly string[]>>;

const TYPES = ['ip_policy_created.v0', 'ip_policy_updated.v0', 'bot_user_updated.v0'];

let api: TestApi;
/** The destination, with its deliveries, newest first, and the events of the account. */
let destination: { readonly id: string; readonly path: string };
let all: readonly Delivery[];
let events: ReadonlyMap<string, Event>;

async function listed<Item>(client: TestClient, path: string, key: string): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let next: unknown = path; typeof next === 'string';) {
    const { status, body, text } = await client.get(next);
    expect(status, text).toBe(200);
    found.push(...(body[key] as Item[]));
    next = body.next_page_uri;
  }
  return found;
}

function pathOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) parameters.append(name, value);
  return `${destination.path}/deliveries?${parameters.toString()}`;
}

const deliveries = (query: Query) => listed<Delivery>(api.admin, pathOf(query), 'deliveries');

/** Gives the deliveries of the destination every state, as workers do. */
async function spreadStates(): Promise<void> {
  const { pool } = api.store;
  const { rows } = await pool.query<{ event_id: string }>(
    `with numbered as (select id, row_number() over (order by id) as number from deliveries where destination_id = $1)
     update deliveries d set sequence = number from numbered
     where d.id = numbered.id and number <= (select count(*) - 8 from numbered)
     returning event_id`,
    [destination.id],
  );
  const ids = rows.map(({ event_id: id }) => id).toSorted();
  const states = ['delivered', 'delivered', 'rejected', 'delivered', 'expired', 'cancelled'] as const;
  for (const [index, id] of ids.entries()) {
    await finishDeliveries(api.store, [id], { state: states[index % states.length] ?? 'delivered' });
  }
  await pool.query(
    `update delivery_lanes set batch_id = 'bat_1', batch_first_sequence = $2::bigint, next_sequence = $2::bigint + 4,
       batch_delivery_ids = array(select id from deliveries where destination_id = $1 order by id limit 4)
     where destination_id = $1`,
    [destination.id, rows.length + 1],
  );
}

beforeAll(async () => {
  api = await startTestApi();
  const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
  const stream = 'arn:aws:kinesis:eu-central-1:123456789012:stream/s';
  destination = await api.admin.create('/event_destinations', {
    target: { data_stream: { auth: { creds }, stream_arn: stream } },
  });
  await api.admin.create('/event_subscriptions', {
    destination_ids: [destination.id],
    sources: TYPES.map((type) => ({ type })),
  });
  const bot = await api.admin.create('/bot_users', { name: 'bot' });
  for (let index = 0; index < 12; index += 1) {
    const policy = await api.admin.create('/ip_policies', { description: `${index}` });
    await api.admin.patch(policy.path, { description: 'changed' });
    if (index % 2 === 0) await api.admin.patch(policy.path, { metadata: 'changed', description: 'again' });
    // Without a delivery.
    if (index % 3 === 0) await api.admin.delete(policy.path);
    if (index % 4 === 0) await api.admin.patch(bot.path, { name: `bot ${index}` });
  }
  await spreadStates();
  all = await deliveries({});
  const found = await listed<Event>(api.admin, '/events', 'events');
  events = new Map(found.map((event) => [event.id, event]));
});
afterAll(() => api.close());

const eventOf = ({ event_id: id }: Delivery): Event => {
  const event = events.get(id);
  if (!event) throw new Error(`There is no event ${id}.`);
  return event;
};

/** Whether a delivery passes a filter, as the documentation says. */
function passes(delivery: Delivery, query: Query): boolean {
  const event = eventOf(delivery);
  const { principal, request, changes } = event.payload;
  const checks: Record<string, (value: string) => boolean> = {
    object_id: (value) => event.resource_id === value,
    principal_id: (value) => principal.id === value,
    credential_id: (value) => principal.credential?.id === value,
    operation_id: (value) => request.operation_id === value,
    changed: (value) => value in { ...changes?.before, ...changes?.after },
    from: (value) => event.created_at >= value,
    to: (value) => event.created_at < value,
    state: (value) => delivery.state === value,
    sequence_from: (value) => delivery.sequence !== null && delivery.sequence >= Number(value),
    sequence_to: (value) => delivery.sequence !== null && delivery.sequence <= Number(value),
  };
  const { type, ...others } = query;
  if (type !== undefined && ![type].flat().includes(event.type)) return false;
  return Object.entries(others).every(([name, value]) => checks[name]?.(String(value)) ?? true);
}

it('has deliveries of every state to search, which are not those of all events', () => {
  expect(new Set(all.map(({ state }) => state)).size).toBe(6);
  expect(all.length).toBeGreaterThan(30);
  expect(all.length).toBeLessThan(events.size);
});

it('finds what a filter in memory finds, for every combination, order and size of a page', async () => {
  const of = (value: (event: Event) => string) => fc.constantFrom(...new Set([...events.values()].map(value)));
  const number = fc.integer({ min: 1, max: all.length }).map(String);
  const queries = fc.record(
    {
      type: fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
      object_id: of(({ resource_id: id }) => id),
      principal_id: fc.oneof(
        of(({ payload }) => payload.principal.id),
        fc.constant('usr_none'),
      ),
      credential_id: of(({ payload }) => payload.principal.credential?.id ?? 'ak_none'),
      operation_id: of(({ payload }) => payload.request.operation_id),
      changed: fc.constantFrom('description', 'metadata', 'name', 'nothing'),
      from: of(({ created_at: at }) => at),
      to: of(({ created_at: at }) => at),
      state: fc.constantFrom(...new Set(all.map(({ state }) => state))),
      sequence_from: number,
      sequence_to: number,
      order: fc.constantFrom('newest_first', 'oldest_first'),
      limit: fc.constantFrom('7', '100'),
    },
    { requiredKeys: ['limit', 'order'] as ('limit' | 'order')[] },
  );
  // A combination of many filters mostly finds nothing.
  const names = [
    'type',
    'principal_id',
    'credential_id',
    'changed',
    'from',
    'to',
    'state',
    'sequence_from',
    'sequence_to',
  ];
  const few = fc
    .tuple(queries, fc.subarray(names, { maxLength: 2 }))
    .map(([query, kept]) =>
      Object.fromEntries(Object.entries(query).filter(([name]) => ['limit', 'order', ...kept].includes(name))),
    );
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(few, queries), async (query: Query) => {
      fc.pre(query.from === undefined || query.to === undefined || query.from < query.to);
      fc.pre(Number(query.sequence_from ?? 0) <= Number(query.sequence_to ?? Infinity));
      const expected = all.filter((delivery) => passes(delivery, query));
      expect(await deliveries(query)).toEqual(query.order === 'oldest_first' ? expected.toReversed() : expected);
      found += expected.length;
    }),
    { numRuns: 50 },
  );
  expect(found).toBeGreaterThan(100);
});

it('continues behind a delivery that was removed in between', async () => {
  const [, removed] = all.filter(({ state }) => state === 'rejected');
  const { pool } = api.store;
  const number = removed?.id.slice('dlv_'.length);
  const { rows } = await pool.query<JsonObject>('select * from finished_deliveries where id = $1', [number]);
  await pool.query('delete from finished_deliveries where id = $1', [number]);
  const left = all.filter((delivery) => delivery !== removed);
  const [principal] = [...events.values()].map(({ payload }) => payload.principal.id);
  const at = all.findIndex((delivery) => delivery === removed);
  const filters: readonly Query[] = [
    {},
    { state: 'rejected' },
    { principal_id: principal ?? '' },
    { sequence_from: '1' },
  ];
  for (const filter of filters) {
    const passing = (some: readonly Delivery[]) => some.filter((delivery) => passes(delivery, filter));
    const older = await deliveries({ ...filter, before_id: removed?.id ?? '' });
    expect(older, JSON.stringify(filter)).toEqual(passing(left.slice(at)));
    const newer = await deliveries({ ...filter, after_id: removed?.id ?? '', order: 'oldest_first' });
    expect(newer, JSON.stringify(filter)).toEqual(passing(left.slice(0, at)).toReversed());
  }
  const [row = {}] = rows;
  const names = Object.keys(row);
  await pool.query(
    `insert into finished_deliveries (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
});

it('continues behind a delivery of a backfill that was removed in between', async () => {
  const admin = await api.addAccount();
  for (let index = 0; index < 3; index += 1) await admin.create('/ip_policies', {});
  const earlier = await listed<Event>(admin, '/events?type=ip_policy_created.v0', 'events');
  const later = await admin.create('/event_destinations', {
    target: { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } },
  });
  const sources = [{ type: 'ip_policy_created.v0' }];
  await admin.create('/event_subscriptions', { destination_ids: [later.id], sources });
  for (let index = 0; index < 3; index += 1) await admin.create('/ip_policies', {});
  const { rows } = await api.store.pool.query<{ account_id: string }>(
    'select account_id from resources where id = $1',
    [later.id],
  );
  const lane = { destinationId: later.id, accountId: rows[0]?.account_id ?? '', backfillId: 'bkf_1' };
  const ids = earlier.map(({ id }) => id).toReversed();
  await insertMissing(lane, ids).execute(api.store.db);
  const path = `${later.path}/deliveries?type=ip_policy_created.v0`;
  for (const order of ['newest_first', 'oldest_first']) {
    const whole = await listed<Delivery>(admin, `${path}&order=${order}`, 'deliveries');
    expect(whole).toHaveLength(order === 'newest_first' ? 6 : 5);
    const { body } = await admin.get(`${path}&order=${order}&limit=3`);
    expect(body.deliveries).toEqual(whole.slice(0, 3));
    await api.store.pool.query('delete from deliveries where id = $1', [whole[2]?.id.slice('dlv_'.length)]);
    expect(await listed(admin, String(body.next_page_uri), 'deliveries')).toEqual(whole.slice(3));
  }
});

it('takes the id of an event as a cursor, whatever the filter', async () => {
  const at = 10;
  const { event_id: id } = all[at] ?? { event_id: '' };
  const filters: readonly Query[] = [{}, { state: 'delivered' }, { type: TYPES[0] ?? '' }, { sequence_to: '1000' }];
  for (const filter of filters) {
    const passing = (some: readonly Delivery[]) => some.filter((delivery) => passes(delivery, filter));
    expect(await deliveries({ ...filter, before_id: id, limit: '3' })).toEqual(passing(all.slice(at + 1)));
    const newer = await deliveries({ ...filter, after_id: id, limit: '3', order: 'oldest_first' });
    expect(newer).toEqual(passing(all.slice(0, at)).toReversed());
  }
});

it('answers who changed a resource, and whether each change has arrived', async () => {
  const changed = [...events.values()].find(({ type }) => type === 'ip_policy_updated.v0');
  const history = await listed<Event>(api.admin, `/ip_policies/${changed?.resource_id}/events`, 'events');
  const found = await deliveries({ object_id: changed?.resource_id ?? '' });
  const delivered = history.filter(({ type }) => TYPES.includes(type));
  expect(found.map(({ event_id: id }) => id)).toEqual(delivered.map(({ id }) => id));
  expect(found.length).toBeGreaterThan(1);
});

it.each([
  ['from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', '?to'],
  ['sequence_from=7&sequence_to=6', '?sequence_to'],
  ['sequence_from=0', '?sequence_from'],
  ['sequence_from=1.5', '?sequence_from'],
  ['sequence_to=1e3', '?sequence_to'],
  ['sequence_to=9999999999999999', '?sequence_to'],
  ['sequence_from=1&sequence_from=2', '?sequence_from'],
  ['type=ip_policy_exploded.v0', '?type'],
  ['state=lost', '?state'],
  ['object_id=', '?object_id'],
  ['order=up', '?order'],
  ['sequence=7', '?sequence'],
  ['before_id=ipp_1', '?before_id'],
  ['after_id=dlv_', '?after_id'],
  ['limit=100000', '?limit'],
])('refuses %s, and names the parameter', async (query, pointer) => {
  const { status, body, text } = await api.admin.get(`${destination.path}/deliveries?${query}`);
  expect([status, body.error_code], text).toEqual([400, 'invalid_input']);
  expect(body.errors).toMatchObject([{ pointer }]);
});

it('finds no destination of another account', async () => {
  const stranger = await api.addAccount();
  for (const query of ['', 'state=delivered', `object_id=${[...events.values()][0]?.resource_id}`, 'sequence_from=1']) {
    const { status, body } = await stranger.get(`${destination.path}/deliveries?${query}`);
    expect([status, body.error_code]).toEqual([404, 'not_found']);
  }
});
