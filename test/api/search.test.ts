import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_SCANNED } from '../../src/events/log/event-search-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { families } from '../../src/resources/families.js';
import type { TestClient } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

interface Event {
  readonly id: string;
  readonly created_at: string;
  readonly type: string;
  readonly resource_id: string;
  readonly payload: {
    readonly principal: { readonly id: string; readonly credential: { readonly id: string } | null };
    readonly changes?: { readonly before: object; readonly after: object };
    readonly request: { readonly operation_id: string; readonly ip: string | null };
  };
}

type Query = Readonly<Record<string, string | readonly string[]>>;

let api: TestApi;
/** Every event of the account, newest first. */
let all: readonly Event[];

async function eventsOf(client: TestClient, path: string): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (let next: unknown = path; typeof next === 'string';) {
    const { status, body, text } = await client.get(next);
    expect(status, text).toBe(200);
    found.push(...(body.events as Event[]));
    next = body.next_page_uri;
  }
  return found;
}

function pathOf(query: Query, base = '/events'): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) parameters.append(name, value);
  return `${base}?${parameters.toString()}`;
}

beforeAll(async () => {
  api = await startTestApi();
  const bot = await api.admin.create('/bot_users', { name: 'bot' });
  for (let index = 0; index < 12; index += 1) {
    const policy = await api.admin.create('/ip_policies', { description: `${index}` });
    await api.admin.patch(policy.path, { description: 'changed' });
    await api.admin.patch(policy.path, { metadata: 'changed', description: 'again' });
    if (index % 3 === 0) await api.admin.delete(policy.path);
    if (index % 4 === 0) await api.admin.patch(bot.path, { name: `bot ${index}` });
  }
  all = await eventsOf(api.admin, '/events');
});
afterAll(() => api.close());

const changedIn = ({ payload: { changes } }: Event) => Object.keys({ ...changes?.before, ...changes?.after });

/** Whether an event passes a filter, as the documentation says. */
function passes(event: Event, query: Query): boolean {
  const { principal, request } = event.payload;
  const checks: Record<string, (value: string) => boolean> = {
    object_id: (value) => event.resource_id === value,
    principal_id: (value) => principal.id === value,
    credential_id: (value) => principal.credential?.id === value,
    operation_id: (value) => request.operation_id === value,
    changed: (value) => changedIn(event).includes(value),
    ip: (value) => request.ip === value,
    text: (value) => JSON.stringify(event.payload).toLowerCase().includes(value.toLowerCase()),
    from: (value) => event.created_at >= value,
    to: (value) => event.created_at < value,
  };
  const { type, ...others } = query;
  if (type !== undefined && ![type].flat().includes(event.type)) return false;
  return Object.entries(others).every(([name, value]) => checks[name]?.(String(value)) ?? true);
}

it('finds what a filter in memory finds, for every combination, order and size of a page', async () => {
  expect(all.length).toBeGreaterThan(40);
  const of = (value: (event: Event) => string) => fc.constantFrom(...new Set(all.map(value)));
  const options = { requiredKeys: ['limit', 'order'] as ('limit' | 'order')[] };
  const queries = fc.record(
    {
      type: fc.uniqueArray(
        of(({ type }) => type),
        { minLength: 1, maxLength: 4 },
      ),
      object_id: of(({ resource_id: id }) => id),
      principal_id: fc.oneof(
        of(({ payload }) => payload.principal.id),
        fc.constant('usr_none'),
      ),
      credential_id: of(({ payload }) => payload.principal.credential?.id ?? 'ak_none'),
      operation_id: of(({ payload }) => payload.request.operation_id),
      changed: fc.constantFrom('description', 'metadata', 'name', 'nothing'),
      ip: fc.oneof(
        of(({ payload }) => payload.request.ip ?? 'none'),
        fc.constant('192.0.2.7'),
      ),
      text: fc.oneof(
        of(({ resource_id: id }) => id.slice(-8)),
        fc.constantFrom('CHANGED', '"name":"Bot 4"', 'nothing has it'),
      ),
      from: of(({ created_at: at }) => at),
      to: of(({ created_at: at }) => at),
      order: fc.constantFrom('newest_first', 'oldest_first'),
      limit: fc.constantFrom('1', '7', '100'),
    },
    options,
  );
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      fc.pre(query.from === undefined || query.to === undefined || query.from < query.to);
      const expected = all.filter((event) => passes(event, query)).map(({ id }) => id);
      const found = (await eventsOf(api.admin, pathOf(query))).map(({ id }) => id);
      expect(found).toEqual(query.order === 'oldest_first' ? expected.toReversed() : expected);
    }),
    { numRuns: 120, examples: [[{ text: '"name":"Bot 4"', order: 'newest_first', limit: '1' }]] },
  );
});

it('finds a text as JSON, and within a string', async () => {
  const { id } = await api.admin.create('/ip_policies', { description: 'say "hi"\\' });
  for (const text of ['say "hi"\\', '"description":"say \\"hi\\"\\\\"'])
    expect((await eventsOf(api.admin, pathOf({ text }))).map((event) => event.resource_id)).toEqual([id]);
  expect((await api.admin.get(pathOf({ text: '\0' }))).status).toBe(400);
});

describe('the history of a resource', () => {
  it('is that of the resource, in order, with the other filters', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    await api.admin.patch(policy.path, { description: 'x' });
    const types = async (query: Query) =>
      (await eventsOf(api.admin, pathOf(query, `${policy.path}/events`))).map(({ type }) => type);
    expect(await types({ order: 'oldest_first', limit: '1' })).toEqual([
      'ip_policy_created.v0',
      'ip_policy_updated.v0',
    ]);
    expect(await types({ changed: 'description' })).toEqual(['ip_policy_updated.v0']);
    await api.admin.delete(policy.path);
    expect(await types({ limit: '2' })).toEqual([
      'ip_policy_deleted.v0',
      'ip_policy_updated.v0',
      'ip_policy_created.v0',
    ]);
  });

  it('of a deleted resource is found below its own family and its own parent only', async () => {
    const edge = await api.admin.create('/edges/https', {});
    const other = await api.admin.create('/edges/https', {});
    const route = await api.admin.create(`${edge.path}/routes`, { match_type: 'path_prefix', match: '/' });
    await api.admin.delete(route.path);
    const statusOf = async (path: string) => (await api.admin.get(path)).status;
    expect(await statusOf(`${edge.path}/routes/${route.id}/events`)).toBe(200);
    expect(await statusOf(`${other.path}/routes/${route.id}/events`)).toBe(404);
    expect(await statusOf(`/ip_policies/${route.id}/events`)).toBe(404);
  });

  it('has no published event, whatever resource a publisher names', async () => {
    const { token } = await api.admin.create('/api_keys', { role: 'publisher' });
    const publisher = api.client(String(token));
    await api.admin.create('/resource_types', { name: 'order' });
    const [live, deleted] = [await api.admin.create('/ip_policies', {}), await api.admin.create('/ip_policies', {})];
    await api.admin.delete(deleted.path);
    const named = [live.id, deleted.id, 'ipp_none'];
    const events = named.map((id) => ({ type: 'order_created.v0', resource_id: id, object: {} }));
    expect((await publisher.post('/events', { events })).status).toBe(202);
    const historyOf = async (path: string) =>
      (await eventsOf(api.admin, `${path}/events?order=oldest_first`)).map(({ type }) => type);
    expect(await historyOf(live.path)).toEqual(['ip_policy_created.v0']);
    expect(await historyOf(deleted.path)).toEqual(['ip_policy_created.v0', 'ip_policy_deleted.v0']);
    expect((await api.admin.get('/ip_policies/ipp_none/events')).status).toBe(404);
    // The search by the id still finds them.
    expect(await eventsOf(api.admin, pathOf({ object_id: live.id, type: 'order_created.v0' }))).toHaveLength(1);
    const { status, body } = await api.admin.get(`${live.path}/events?type=order_created.v0`);
    expect([status, body.errors]).toEqual([
      400,
      [{ pointer: '?type', detail: '"order_created.v0" is not an event type of built-in resources; see /event_types' }],
    ]);
  });

  it('is found behind more published events than a page reads', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    await api.admin.delete(policy.path);
    await api.store.pool.query(
      `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                           commitment)
       select $1 || lpad(n::text, 16, '0'), $2, 'order_created.v0', $3, '{}', now(), 'usr_publisher', 'op_' || n, ''
       from generate_series(1, $4::int) n`,
      [idBound('evt', new Date(Date.now() + 1)), api.accountId, policy.id, MOST_SCANNED + 1],
    );
    const { body } = await api.admin.get(`${policy.path}/events`);
    expect([body.events, typeof body.next_page_uri]).toEqual([[], 'string']);
    const found = await eventsOf(api.admin, `${policy.path}/events`);
    expect(found.map(({ type }) => type)).toEqual(['ip_policy_deleted.v0', 'ip_policy_created.v0']);
    await api.store.pool.query(`delete from events where type = 'order_created.v0' and resource_id = $1`, [policy.id]);
  });

  it('exists for every family', async () => {
    for (const { definition } of families) {
      const path = definition.path.replace(/:\w+/, 'none');
      const { status, body } = await api.admin.get(`${path}/${definition.prefix}_none/events`);
      expect([status, body.error_code], path).toEqual([404, 'not_found']);
    }
  });
});

it('a list that is continued later misses what was committed late, unless it ends before that was begun', async () => {
  const begun = new Date();
  const client = await api.store.pool.connect();
  try {
    // A change that has drawn its id, and that is committed after the next one.
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>(
      `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                           commitment)
       values ($1, $2, 'ip_policy_created.v0', 'ipp_late', '{}', $3, 'usr_late', 'op_late', '') returning id`,
      [`${idBound('evt', begun)}${'0'.repeat(16)}`, api.accountId, begun],
    );
    const early = await api.admin.create('/ip_policies', {});
    const walk = async (more: Query) =>
      await eventsOf(api.admin, pathOf({ order: 'oldest_first', type: 'ip_policy_created.v0', ...more }));
    const [careless, careful] = [await walk({}), await walk({ to: begun.toISOString() })];
    expect(careless.at(-1)?.resource_id).toBe(early.id);
    await client.query('commit');
    const idsBehind = async (read: readonly Event[]) =>
      (await walk({ after_id: read.at(-1)?.id ?? '' })).map(({ resource_id: id }) => id);
    expect(await idsBehind(careless)).toEqual([]);
    expect(await idsBehind(careful)).toEqual(['ipp_late', early.id]);
    await api.store.pool.query('delete from events where id = $1', [rows[0]?.id]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

it('finds nothing of another account, whatever the filter', async () => {
  const stranger = await api.addAccount();
  for (const { resource_id, payload, id } of all.slice(0, 10)) {
    const { principal, request } = payload;
    const queries: readonly Query[] = [
      { object_id: resource_id },
      { principal_id: principal.id },
      { credential_id: principal.credential?.id ?? '' },
      { operation_id: request.operation_id },
      { before_id: id, changed: 'description' },
      { after_id: id, order: 'oldest_first', object_id: resource_id },
    ];
    for (const query of queries) expect(await eventsOf(stranger, pathOf(query))).toEqual([]);
  }
});

it.each([
  ['from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', '?to'],
  ['from=2026-02-02T00:00:00Z&to=2026-02-02T00:00:00Z', '?to'],
  ['from=yesterday', '?from'],
  ['limit=100000', '?limit'],
  ['type=ip_policy_exploded.v0', '?type'],
  ['type=ip_policy_created.v0&type=ip_policy_exploded.v0', '?type'],
  [Array.from({ length: 21 }, () => 'type=ip_policy_created.v0').join('&'), '?type'],
  ['object=ipp_1', '?object'],
  ['object_id=', '?object_id'],
  ['object_id=a&object_id=b', '?object_id'],
  ['order=up', '?order'],
  ['before_id=ipp_1', '?before_id'],
  ['after_id=evt_1', '?after_id'],
])('refuses %s, and names the parameter', async (query, pointer) => {
  const { status, body, text } = await api.admin.get(`/events?${query}`);
  expect([status, body.error_code], text).toEqual([400, 'invalid_input']);
  expect(body.errors).toMatchObject([{ pointer }]);
});
