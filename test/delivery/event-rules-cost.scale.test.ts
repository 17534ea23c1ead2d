import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transaction } from '../../src/database/database.js';
import type { Tables } from '../../src/database/tables.js';
import { saltedCommitmentOf } from '../../src/events/envelope/salted-commitment.js';
import { EventStore } from '../../src/events/fan-out/event-store.js';
import { PruneStore } from '../../src/events/retention/prune-store.js';
import { ProjectionStore } from '../../src/events/rules/projection-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { newId } from '../../src/ids/id.js';
import { anySearchKeys } from '../support/search-keys.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const DAY = 86_400_000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

/** Runs `work` in a transaction, and returns its statements. */
async function statementsIn(work: (trx: Transaction) => Promise<unknown>): Promise<readonly string[]> {
  const statements: string[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: api.store.pool }),
    log: ({ query: { sql } }) => void statements.push(sql),
  });
  await db.transaction().execute(work);
  return statements.filter((text) => !/^(?:begin|commit)/i.test(text));
}

/** The statements of the fan-out of one event. */
async function statementsOf(type: string): Promise<readonly string[]> {
  const id = newId('evt');
  const recordedAs = { createdAt: new Date(), traceParent: null, search: anySearchKeys };
  const event = {
    id,
    accountId: api.accountId,
    type,
    resourceId: newId('ipp'),
    payload: JSON.stringify({ event_id: id, event_type: type, object: { description: 'x' } }),
    saltedCommitment: saltedCommitmentOf('{}'),
    ...recordedAs,
    kind: 'ip_policy',
    isNew: true,
  };
  return statementsIn((trx) => new EventStore(trx).insertWithDeliveries(event));
}

it('a fan-out takes one statement, unless a source of its own type has a filter or fields', async () => {
  const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
  const { id } = await api.admin.create('/event_destinations', { target });
  const source = { type: 'ip_policy_created.v0' };
  await api.admin.create('/event_subscriptions', { sources: [source], destination_ids: [id] });
  const [only = '', ...others] = await statementsOf('ip_policy_created.v0');
  expect(others).toEqual([]);
  const filter = 'object.description == "x"';
  const sources = [{ type: 'ip_policy_updated.v0', filter }];
  await api.admin.create('/event_subscriptions', { sources, destination_ids: [id] });
  expect(await statementsOf('ip_policy_created.v0')).toEqual([only]);
  expect(await statementsOf('ip_policy_updated.v0')).toHaveLength(3);
});

it('a projection is removed after its event', async () => {
  const aged = (days: number, name: string) =>
    `${idBound('evt', new Date(Date.now() - days * DAY))}${name.padStart(16, '0')}`;
  const [old, kept, young] = [aged(20, 'a'), aged(19, 'b'), aged(2, 'c')];
  const { pool, db } = api.store;
  await pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
     values ($1, $2, 't', 'r', '{}', now(), '')`,
    [kept, api.accountId],
  );
  await pool.query(
    `insert into event_projections (event_id, part, destination_ids, payload, commitment)
     select id, part, '{}', '{}', '' from unnest($1::text[]) id, generate_series(0, 1) part`,
    [[old, kept, young]],
  );
  const retention = { deliveredMs: DAY, undeliveredMs: DAY, eventsMs: 10 * DAY };
  const { removed } = await new PruneStore(db).projections(retention, '', 100);
  const { rows } = await pool.query<{ event_id: string }>('select distinct event_id from event_projections order by 1');
  expect([removed, rows.map(({ event_id }) => event_id)]).toEqual([2, [kept, young].toSorted()]);
});

/** Subscribes destinations to a type, one for each pointer that is excluded. Returns the rules. */
async function excluding(type: string, pointers: readonly string[]) {
  const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
  return Promise.all(
    pointers.map(async (pointer) => {
      const { id } = await api.admin.create('/event_destinations', { target });
      const fields = { exclude: [pointer] };
      const body = { sources: [{ type, fields }], destination_ids: [id] };
      const { id: subscriptionId } = await api.admin.create('/event_subscriptions', body);
      return { eventType: type, subscriptionId, filter: null, fields };
    }),
  );
}

it('fields take two more statements, whatever the number of events and of different payloads', async () => {
  const type = 'ip_policy_deleted.v0';
  const projecting = await excluding(type, ['/object/description', '/object/metadata', '/request']);
  // The first one makes the salt of the account.
  await statementsOf(type);
  expect(await statementsOf(type)).toHaveLength(5);
  const events = Array.from({ length: 20 }, () => ({ id: newId('evt'), type, payload: '{"object":{}}', projecting }));
  const statements = await statementsIn((trx) => new ProjectionStore(trx).insert(api.accountId, events));
  expect(statements).toHaveLength(2);
  const ids = events.map(({ id }) => id);
  const { rows } = await api.store.pool.query<{ count: number }>(
    'select count(*)::int as count from event_projections where event_id = any($1)',
    [ids],
  );
  expect(rows).toEqual([{ count: ids.length * projecting.length }]);
});

it('a statement has a mebibyte of payloads with fields, beside the last one', async () => {
  const type = 'ip_policy_rule_deleted.v0';
  const projecting = await excluding(type, ['/object/description', '/object/metadata', '/request']);
  await statementsOf(type);
  const payload = JSON.stringify({ object: { cidr: 'x'.repeat(60_000) } });
  const events = Array.from({ length: 20 }, () => ({ id: newId('evt'), type, payload, projecting }));
  const statements = await statementsIn((trx) => new ProjectionStore(trx).insert(api.accountId, events));
  // The routes, and 60 payloads: the 18th exceeds the mebibyte.
  expect(statements).toHaveLength(1 + 4);
});
