import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outboxSchema, record } from '../src/index.js';
import { runCli, startCli, type CliProcess } from './support/cli-process.js';
import { compileCli } from './support/compiled-cli.js';
import { countOf, orderEvent, outOfOrder, recordAll, revisionsOf, until } from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { problem, startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

let folder: string;
let database: TestDatabase;
let waybill: WaybillStub;
const running: CliProcess[] = [];
beforeAll(async () => {
  folder = await compileCli();
});
afterAll(() => rm(folder, { recursive: true }));
/** Gives each test of a suite a database and a stub of Waybill. */
function openForEach(): void {
  beforeEach(async () => {
    database = await createTestDatabase();
    waybill = await startWaybillStub();
  });
  afterEach(async () => {
    for (const { process: child } of running.splice(0)) child.kill('SIGKILL');
    await waybill.close();
    await database.close();
  });
}

const settings = () => ({
  DATABASE_URL: database.url,
  WAYBILL_URL: waybill.url,
  WAYBILL_API_KEY: 'secret_key_of_test',
});
const run = (...args: readonly string[]) => runCli(folder, args, settings());

/** Starts the relay as a process. */
function relay(...args: readonly string[]): CliProcess {
  const started = startCli(folder, ['relay', '--poll-interval-ms', '100', ...args], settings());
  running.push(started);
  return started;
}

/** Rejects one event: `a 1`, for which `a 2` waits. */
async function rejectOne(): Promise<string> {
  await record(database.pool, [orderEvent('a', 1), orderEvent('a', 2)]);
  waybill.answer((batch) =>
    batch.some(({ object }) => object['revision'] === 1)
      ? problem(400, 'invalid_input', { errors: [{ pointer: '/events/0/object/total', detail: 'is required' }] })
      : 'accept',
  );
  const { process: child, ended } = relay();
  await until(async () => (await countOf(database.pool, 'events', 'held')) === 1, 'the event is rejected');
  child.kill('SIGTERM');
  await ended;
  const { rows } = await database.pool.query<{ event_id: string }>('select event_id from waybill_outbox.rejected');
  return String(rows[0]?.event_id);
}

describe('the command line', () => {
  openForEach();

  it('prints the schema and the triggers', async () => {
    expect(await run('schema')).toEqual({ code: 0, stdout: outboxSchema(), stderr: '' });
    const trigger = await run('trigger', '--table', 'public.orders', '--type', 'order', '--id', 'a,b');
    expect(trigger).toMatchObject({ code: 0, stderr: '' });
    expect(trigger.stdout).toContain('on "public"."orders"');
    expect(trigger.stdout).toContain('"id":["a","b"]');
  });

  it('installs the outbox', async () => {
    await database.pool.query('drop schema waybill_outbox cascade');
    const status = await run('status');
    expect(status).toMatchObject({ code: 1, stdout: '' });
    expect(status.stderr).toMatch(
      /^error: The database has no outbox of version 1: run "npx @waybill\/outbox install"/,
    );
    expect(await run('install')).toEqual({ code: 0, stdout: 'The outbox is installed.\n', stderr: '' });
    expect(await run('status')).toMatchObject({ code: 0 });
  });

  it('says which version of the schema it needs, and which is installed', async () => {
    await database.pool.query('update waybill_outbox.schema_version set version = 2');
    await record(database.pool, orderEvent('a', 1));
    const needs = 'The outbox has version 2 of its schema, and this version of @waybill/outbox needs version 1';
    expect(await run('status')).toMatchObject({ code: 1, stderr: `error: ${needs}: update @waybill/outbox.\n` });
    const started = relay();
    await until(() => started.output().stdout.includes(needs), 'the relay logs it');
    expect(waybill.batches).toEqual([]);
    await database.pool.query('update waybill_outbox.schema_version set version = 1');
    await until(() => waybill.stored.length === 1, 'it publishes');
  });

  it('uninstalls the outbox only if no event waits, unless it is told to', async () => {
    const { stdout } = await run('trigger', '--table', 'orders', '--type', 'order');
    await database.pool.query(`create table orders (id int primary key); ${stdout}`);
    await database.pool.query('insert into orders values (1)');
    const refused = await run('uninstall');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^error: 1 events wait and 0 are rejected\./);
    expect(await countOf(database.pool, 'events')).toBe(1);
    const dropped = 'The outbox is dropped.\nNo longer recorded: orders\n';
    expect(await run('uninstall', '--drop-events')).toEqual({ code: 0, stdout: dropped, stderr: '' });
    await database.pool.query('insert into orders values (2)');
    expect(await run('status')).toMatchObject({ code: 1 });
    expect(await run('install')).toMatchObject({ code: 0 });
    expect(await run('uninstall')).toMatchObject({ code: 0, stdout: 'The outbox is dropped.\n' });
  });

  it('publishes until SIGTERM, and ends with 0', async () => {
    await recordAll(
      database.pool,
      Array.from({ length: 20 }, (_, n) => orderEvent('a', n + 1)),
    );
    const { process: child, ended } = relay('--batch-size', '10');
    await until(() => waybill.stored.length === 20, 'all are published');
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg)).toEqual([
      'outbox relay started',
      'outbox relay publishes',
      'outbox relay stops',
      'outbox relay stopped',
    ]);
    expect(stdout).not.toContain('secret_key_of_test');
    expect(waybill.batches.map((batch) => batch.length)).toEqual([10, 10]);
    const { rows } = await database.pool.query('select holder from waybill_outbox.relay');
    expect(rows).toEqual([{ holder: null }]);
  });

  it('serves probes and metrics on a port', async () => {
    await rejectOne();
    const started = relay('--port', '0');
    const stdout = () => started.output().stdout;
    await until(() => stdout().includes('outbox has rejected events of a type'), 'it publishes');
    const [line = ''] = stdout().split('\n');
    const { port } = JSON.parse(line) as { port: number };
    const get = async (route: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${route}`);
      return [response.status, await response.text()] as const;
    };
    await until(async () => (await get('/readyz'))[0] === 200, 'it is ready');
    expect(await get('/livez')).toEqual([200, 'ok\n']);
    expect((await get('/other'))[0]).toBe(404);
    const open = await database.pool.connect();
    try {
      await open.query('set application_name = \'an "import"\'; begin');
      await record(open, orderEvent('b', 1));
      await record(database.pool, orderEvent('c', 1));
      const [status, text] = await get('/metrics');
      expect(status).toBe(200);
      for (const name of ['waiting', 'rejected', 'held']) expect(text).toContain(`\nwaybill_outbox_${name}_events 1\n`);
      expect(text).toContain('\nwaybill_outbox_relay_publishes 1\n');
      expect(text).toMatch(
        /\nwaybill_outbox_delaying_transaction_seconds\{pid="\d+",prepared="",application="an \\"import\\""\} [\d.]+\n/,
      );
    } finally {
      await open.query('rollback');
      open.release();
    }
    // Waybill refuses the key.
    waybill.answer(() => problem(401, 'unauthorized'));
    await record(database.pool, orderEvent('d', 1));
    await until(async () => (await get('/readyz'))[0] === 503, 'it is not ready');
    expect((await get('/readyz'))[1]).toMatch(/^Waybill answered 401.* Check the API key\n$/);
    await database.pool.query('drop schema waybill_outbox cascade');
    await until(async () => (await get('/readyz'))[1].includes('has no outbox'), 'it is not ready');
    expect((await get('/metrics'))[0]).toBe(503);
    expect((await get('/livez'))[0]).toBe(200);
    started.process.kill('SIGTERM');
    expect((await started.ended).code).toBe(0);
  });

  it('ends with an exit code that a probe can use', async () => {
    expect((await run('status')).code).toBe(0);
    await record(database.pool, orderEvent('a', 1));
    expect((await run('status')).code).toBe(0);
    await database.pool.query("update waybill_outbox.events set recorded_at = clock_timestamp() - interval '1 hour'");
    expect((await run('status')).code).toBe(3);
    expect((await run('status', '--max-age', '4000', '--json')).code).toBe(0);
    await database.clear();
    await rejectOne();
    const status = await run('status');
    expect(status.code).toBe(3);
    expect(status.stdout).toMatch(/ order_created\.v0 +1 with invalid_input, such as: \/object\/total: is required\n/);
  });

  it('shows the status', async () => {
    await record(database.pool, orderEvent('a', 1));
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
      waiting: 1,
      published: 0,
      holder: null,
    });
    const { stdout } = await run('status');
    expect(stdout).toMatch(/^waiting {18}1$/m);
    expect(stdout).toMatch(/^relay {20}none publishes$/m);
  });

  it('lists rejected events, retries and repairs them', async () => {
    expect(await run('rejected')).toEqual({ code: 0, stdout: 'No event is rejected.\n', stderr: '' });
    const eventId = await rejectOne();
    const { stdout } = await run('rejected');
    expect(stdout).toContain(`${eventId}  order_created.v0  "a"\n  /object/total: is required\n`);
    expect(stdout).toContain('400 invalid_input; later events of the resource wait');
    expect(JSON.parse((await run('rejected', '--json')).stdout)).toMatchObject([{ eventId, holds: true }]);

    expect(await run('rejected', 'retry', eventId)).toMatchObject({ code: 0, stdout: '1 returned to the outbox.\n' });
    expect(await countOf(database.pool, 'events', 'not held')).toBe(2);
    relay();
    await until(async () => (await countOf(database.pool, 'rejected')) === 1, 'it is rejected again');
    expect(await run('rejected', 'retry', '--all')).toMatchObject({ code: 0, stdout: '1 returned to the outbox.\n' });
    await until(async () => (await countOf(database.pool, 'rejected')) === 1, 'it is rejected again');
    const { stdout: shown } = await run('rejected', 'show', eventId);
    expect(JSON.parse(shown)).toMatchObject({ type: 'order_created.v0', resource_id: 'a', object: { revision: 1 } });
    const file = path.join(folder, 'event.json');
    const repair = () => run('rejected', 'repair', eventId, '--file', file, '--by', 'ada', '--reason', 'no total');
    await writeFile(file, shown.slice(1));
    expect(await repair()).toMatchObject({ code: 2, stderr: `error: ${file} is not JSON.\n` });
    await writeFile(file, shown.replace('"revision": 1', '"revision": 1.0, "exact": 12345678901234.5678'));
    waybill.answer(() => 'accept');
    expect(await repair()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 repaired/) as string,
      stderr: '',
    });
    await until(() => waybill.stored.length === 2, 'both events are published');
    expect(revisionsOf(waybill.stored)).toEqual(['a 1', 'a 2']);
    expect(waybill.texts.join('')).toContain('"exact": 12345678901234.5678');
    expect(await repair()).toMatchObject({ code: 1, stderr: `error: No rejected event has the id ${eventId}.\n` });
    expect(await run('rejected', 'discard', eventId)).toMatchObject({ code: 1 });
  });

  it('says that no rejected event has an id', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const stderr = `error: No rejected event has the id ${id}.\n`;
    expect(await run('rejected', 'discard', id)).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('the command line, without a database', () => {
  const elsewhere = {
    DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/x',
    WAYBILL_URL: 'http://127.0.0.1:1',
    WAYBILL_API_KEY: 'secret_key_of_test',
  };

  it.each<[string, readonly string[], Readonly<Record<string, string>>, number, RegExp]>([
    ['an unknown command', ['publish'], {}, 2, /unknown command/],
    ['an unknown option', ['status', '--yaml'], {}, 2, /unknown option/],
    ['no DATABASE_URL', ['status'], { DATABASE_URL: '' }, 2, /^error: Set DATABASE_URL: /],
    ['no WAYBILL_API_KEY', ['relay'], { WAYBILL_API_KEY: '' }, 2, /^error: Set WAYBILL_API_KEY: /],
    [
      'no connection string',
      ['relay'],
      { DATABASE_URL: 'secret' },
      2,
      /^error: DATABASE_URL is not a connection string/,
    ],
    [
      'an invalid connection string',
      ['status'],
      { DATABASE_URL: 'postgres://user:secret@host:port/x' },
      2,
      /^error: DATABASE_URL is not a connection string/,
    ],
    ['an invalid url', ['relay'], { WAYBILL_URL: 'ftp://x' }, 2, /^error: url must be/],
    ['an invalid key', ['relay'], { WAYBILL_API_KEY: 'secret\nkey' }, 2, /^error: key must be an API key/],
    [
      'an invalid batch size',
      ['relay', '--batch-size', '501'],
      {},
      2,
      /^error: batchSize must be a whole number from 1 to 500/,
    ],
    ['a batch size that is no number', ['relay', '--batch-size', 'ten'], {}, 2, /must be a whole number/],
    ['an invalid mode', ['relay', '--after-rejection', 'skip'], {}, 2, /Allowed choices are hold, continue/],
    ['an invalid type', ['trigger', '--table', 'orders', '--type', 'Order'], {}, 2, /is no name of a resource type/],
    ['an id that is none', ['rejected', 'retry', 'evt_1'], {}, 2, /is not the id of an event/],
    [
      'an event and --all',
      ['rejected', 'retry', '00000000-0000-4000-8000-000000000000', '--all'],
      {},
      2,
      /Name one event, or use --all/,
    ],
    ['neither', ['rejected', 'retry'], {}, 2, /Name one event, or use --all/],
    ['a database that is away', ['status'], {}, 1, /ECONNREFUSED/],
  ])('explains %s', async (_, args, environment, code, message) => {
    const result = await runCli(folder, args, { ...elsewhere, ...environment });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toContain('secret');
    expect(result.stderr).not.toContain('    at ');
  });
});

describe('a relay process', () => {
  openForEach();

  it('that is paused longer than its lease does no harm when it continues', async () => {
    await recordAll(
      database.pool,
      Array.from({ length: 10 }, (_, n) => orderEvent('a', n + 1)),
    );
    const first = relay('--batch-size', '4', '--lease-ms', '1000');
    await until(() => waybill.stored.length === 10, 'the first relay publishes');
    // Paused in the middle of a request, whose answer it reads only later.
    waybill.answer((_, request) => {
      if (request === 4) first.process.kill('SIGSTOP');
      return 'accept';
    });
    await recordAll(
      database.pool,
      Array.from({ length: 10 }, (_, n) => orderEvent('a', n + 11)),
    );
    const second = relay('--batch-size', '4', '--lease-ms', '1000');
    await until(
      async () => waybill.stored.length === 20 && (await countOf(database.pool, 'events')) === 0,
      'the second one publishes',
    );
    first.process.kill('SIGCONT');
    await recordAll(
      database.pool,
      Array.from({ length: 10 }, (_, n) => orderEvent('a', n + 21)),
    );
    await until(() => waybill.stored.length === 30, 'all are published');
    await until(async () => (await countOf(database.pool, 'events')) === 0, 'all are deleted');
    expect(outOfOrder(waybill.stored)).toEqual([]);
    for (const one of [first, second]) {
      one.process.kill('SIGTERM');
      expect((await one.ended).code).toBe(0);
    }
    const { rows } = await database.pool.query('select published::int from waybill_outbox.relay');
    expect(rows).toEqual([{ published: 30 }]);
  });

  it('that is killed is succeeded by another one after its lease', async () => {
    waybill.answer(() => 'hang');
    await recordAll(
      database.pool,
      Array.from({ length: 10 }, (_, n) => orderEvent('a', n + 1)),
    );
    const first = relay('--lease-ms', '1000');
    await until(() => waybill.batches.length === 1, 'the first relay has sent a batch');
    first.process.kill('SIGKILL');
    waybill.answer(() => 'accept');
    relay('--lease-ms', '1000');
    await until(() => waybill.stored.length === 10, 'the second relay publishes');
    expect(outOfOrder(waybill.stored)).toEqual([]);
  });
});
