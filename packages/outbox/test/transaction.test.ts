import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { record, setContext, transaction, type OutboxEvent } from '../src/index.js';
import { connectionEnd, createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const event: OutboxEvent = { type: 'order_created.v0', resourceId: 'order-1', object: {} };
const body = { type: event.type, resource_id: event.resourceId, object: {} };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => database.pool.query('truncate waybill_outbox.events'));
afterAll(() => database.close());

it('commits what it has run, and says who made the changes', async () => {
  const context = { principal: { id: 'user-7' }, request: { userAgent: 'curl/8' } };
  const result = await transaction(database.pool, context, async (client) => {
    await record(client, event);
    return 5;
  });
  expect(result).toBe(5);
  await transaction(database.pool, {}, (client) => record(client, event));
  expect(await recordedEvents(database.pool)).toEqual([
    { ...body, principal: { id: 'user-7' }, request: { user_agent: 'curl/8' } },
    body,
  ]);
});

it('rolls back what throws, and what has failed behind a caught error', async () => {
  const thrown = transaction(database.pool, {}, async (client) => {
    await record(client, event);
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  const caught = transaction(database.pool, {}, async (client) => {
    await record(client, event);
    await client.query('select 1 / 0').catch(() => undefined);
  });
  await expect(caught).rejects.toThrow('The transaction was rolled back, because a statement of it failed.');
  expect(await recordedEvents(database.pool)).toEqual([]);
});

it('survives the loss of its connection, which does not return to the pool', async () => {
  const lost = transaction(database.pool, {}, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = connectionEnd(client);
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await record(client, event);
  });
  await expect(lost).rejects.toThrow(/not queryable|terminat/);
  await Promise.all(Array.from({ length: 6 }, () => transaction(database.pool, {}, (client) => record(client, event))));
  expect(await recordedEvents(database.pool)).toHaveLength(6);
});

it('refuses a context that Postgres cannot store', async () => {
  const refused = transaction(database.pool, {}, (client) => setContext(client, { principal: { id: '\0' } }));
  await expect(refused).rejects.toThrow('/principal/id has a NUL character');
});
