import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@waybill/embedded-postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outboxSchema, triggerSql } from '../src/index.js';
import { failingCommits } from './support/failing-commits.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const examples = path.resolve(import.meta.dirname, '../../../examples');

/** How an example is run. */
interface Runtime {
  readonly name: string;
  /** Programs of the runtime: the first that passes the check is used. */
  readonly programs: readonly string[];
  /** Arguments with which the program succeeds where the libraries of the example are installed. */
  readonly check: readonly string[];
  /** Arguments that run the example. */
  readonly run: readonly string[];
}

// Nothing is downloaded.
const environment = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' };
const pythons = ['python3', '/usr/bin/python3'];
const runtimes: readonly Runtime[] = [
  { name: 'django', programs: pythons, check: ['-c', 'import django, psycopg2'], run: ['app.py'] },
  {
    name: 'fastapi',
    programs: pythons,
    check: ['-c', 'import fastapi, psycopg2, sqlalchemy, uvicorn'],
    run: ['app.py'],
  },
  {
    name: 'rails',
    programs: ['ruby'],
    check: ['-e', "require 'rails'; require 'active_record'; require 'pg'; require 'puma'"],
    run: ['app.rb'],
  },
  { name: 'go', programs: ['go'], check: ['mod', 'download'], run: ['run', '.'] },
];

let database: TestDatabase;
let folder: string;
let api: ChildProcess | undefined;

beforeEach(async () => {
  database = await createTestDatabase({ installed: false });
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-example-'));
});
afterEach(async () => {
  if (api?.pid !== undefined && api.exitCode === null && api.signalCode === null) {
    const ended = once(api, 'exit');
    // With its children: `go run` is a parent.
    process.kill(-api.pid);
    await ended;
  }
  api = undefined;
  await rm(folder, { recursive: true });
  await database.close();
});

/** Sends a request to the example as a user. */
type Send = (user: string, method: string, resource: string, body?: object) => Promise<{ status: number; id: number }>;

/** Runs the migrations of the example, starts it, and waits until it listens. */
async function start(cwd: string, program: string, run: readonly string[]): Promise<Send> {
  const port = await freePort();
  const env = { ...environment, DATABASE_URL: database.url, PORT: String(port) };
  // The examples have the trigger as it is now.
  expect(await readFile(path.join(examples, 'orders.sql'), 'utf8')).toContain(
    triggerSql({ table: 'public.orders', type: 'order' }),
  );
  const outbox = path.join(folder, 'outbox.sql');
  await writeFile(outbox, outboxSchema());
  const migration = spawnSync(program, [...run, 'migrate', outbox, '../orders.sql'], { cwd, env, encoding: 'utf8' });
  expect(migration.status, migration.stderr).toBe(0);

  const started = spawn(program, run, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  api = started;
  let log = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  }
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => null))) {
    expect(started.exitCode, log).toBeNull();
    await setTimeout(50);
  }
  return async (user, method, resource, body) => {
    const response = await fetch(`${url}/${resource}`, {
      method,
      // A server may close the connection after an error.
      headers: {
        connection: 'close',
        'content-type': 'application/json',
        'x-user-id': user,
        'x-request-id': `request of ${user}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, id: response.ok ? ((JSON.parse(text) as { id?: number } | null)?.id ?? 0) : 0 };
  };
}

/** What an event has of the request that made the change. */
const by = (user: string): object => ({
  principal: { id: user },
  request: { id: `request of ${user}`, ip: '127.0.0.1' },
});

it.for(runtimes)('$name: an event says what was committed, and who did it', async (runtime, { skip }) => {
  const { name, programs, check, run } = runtime;
  const cwd = path.join(examples, name);
  const program = programs.find(
    (candidate) => spawnSync(candidate, check, { cwd, env: environment, stdio: 'ignore' }).status === 0,
  );
  if (program === undefined) return skip(`${programs[0]} is missing, or the libraries of examples/${name} are`);
  const send = await start(cwd, program, run);

  // Triggers record orders.
  const order = await send('ada', 'POST', 'orders', { total: 100 });
  const deleted = await send('ada', 'POST', 'orders', { total: 7 });
  expect(await send('bob', 'DELETE', `orders/${deleted.id}`)).toMatchObject({ status: 200 });
  // The statements of the example record payments.
  const kept = await send('ada', 'POST', 'payments', { order_id: order.id, amount: 60 });
  const undone = await send('ada', 'POST', 'payments', { order_id: order.id, amount: 40 });
  expect(await send('bob', 'DELETE', `payments/${undone.id}`)).toMatchObject({ status: 200 });
  expect([order, deleted, kept, undone].map(({ status }) => status)).toEqual([201, 201, 201, 201]);

  // The example throws after it has recorded, and then the commit fails after every statement has succeeded.
  expect(await send('eve', 'POST', 'payments', { order_id: order.id, amount: 101 })).toMatchObject({ status: 500 });
  const refused = await failingCommits(database.pool, 'payments');
  expect(await send('eve', 'POST', 'payments', { order_id: order.id, amount: 1 })).toMatchObject({ status: 500 });
  await refused.end();

  // Connections are used again by requests of other users.
  const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);
  const updates = users.map((user) => send(user, 'PATCH', `orders/${order.id}`, { status: user }));
  for (const { status } of await Promise.all(updates)) expect(status).toBe(200);
  await database.pool.query("update orders set status = 'shipped'");

  const rows = async (table: string): Promise<object[]> =>
    (await database.pool.query<{ row: object }>(`select to_jsonb(${table}) as row from ${table}`)).rows.map(
      ({ row }) => row,
    );
  const last = { id: order.id, status: 'shipped', total: 100 };
  expect(await rows('orders')).toEqual([last]);
  expect(await rows('payments')).toEqual([{ id: kept.id, order_id: order.id, amount: 60 }]);

  const events = await recordedEvents(database.pool);
  const eventsOf = (type: string, id: number): object[] =>
    events
      .filter((event) => String(event['type']).startsWith(`${type}_`) && event['resource_id'] === String(id))
      .map(({ type: eventType, object, principal, request }) => ({ type: eventType, object, principal, request }));
  const event = (type: string, object: object, user: string): object => ({ type, object, ...by(user) });
  expect(eventsOf('order', deleted.id)).toEqual([
    event('order_created.v0', { id: deleted.id, status: 'open', total: 7 }, 'ada'),
    event('order_deleted.v0', { id: deleted.id, status: 'open', total: 7 }, 'bob'),
  ]);
  expect(eventsOf('payment', kept.id)).toEqual([
    event('payment_created.v0', { id: kept.id, order_id: order.id, amount: 60 }, 'ada'),
  ]);
  expect(eventsOf('payment', undone.id)).toEqual([
    event('payment_created.v0', { id: undone.id, order_id: order.id, amount: 40 }, 'ada'),
    event('payment_deleted.v0', { id: undone.id, order_id: order.id, amount: 40 }, 'bob'),
  ]);
  const [created, ...updated] = eventsOf('order', order.id);
  expect(created).toEqual(event('order_created.v0', { id: order.id, status: 'open', total: 100 }, 'ada'));
  // Plain SQL has no principal.
  expect(updated.pop()).toEqual({ type: 'order_updated.v0', object: last });
  expect(updated).toHaveLength(users.length);
  expect(updated).toEqual(
    expect.arrayContaining(
      users.map((user) => event('order_updated.v0', { id: order.id, status: user, total: 100 }, user)),
    ),
  );
  expect(events).toHaveLength(2 + 1 + 2 + 1 + users.length + 1);
});
