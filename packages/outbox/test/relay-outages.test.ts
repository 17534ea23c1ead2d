import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { record } from '../src/index.js';
import { countOf, orderEvent, startTestRelay, until, type TestRelay } from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

const NOT_USABLE = 'outbox database is not usable';

let database: TestDatabase;
let waybill: WaybillStub;
let relay: TestRelay | null = null;
beforeEach(async () => {
  database = await createTestDatabase();
  waybill = await startWaybillStub();
});
afterEach(async () => {
  await relay?.stop();
  relay = null;
  await waybill.close();
  await database.close();
});

const start = (options: Parameters<typeof startTestRelay>[2] = {}) =>
  (relay = startTestRelay(database.pool, waybill.url, options));

/** Ends the connections whose last statement matches. Returns their number. */
async function terminate(statement: string): Promise<number> {
  const { rowCount } = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like $1`,
    [statement],
  );
  return rowCount ?? 0;
}

const isListening = async () => {
  const { rows } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and query = 'listen waybill_outbox' and state = 'idle'`,
  );
  return rows.length === 1;
};

describe('notifications', () => {
  it('wake the relay long before it polls', async () => {
    start({ pollIntervalMs: 600_000 });
    await until(isListening, 'the relay listens');
    for (let revision = 1; revision <= 5; revision += 1) {
      await record(database.pool, orderEvent('a', revision));
      await until(() => waybill.stored.length === revision, 'the event is published');
    }
    expect(waybill.batches).toHaveLength(5);
  });

  it('arrive again after their connection was killed', async () => {
    const { logged } = start({ pollIntervalMs: 600_000 });
    await until(isListening, 'the relay listens');
    expect(await terminate('listen waybill_outbox')).toBe(1);
    // Recorded while nothing listens.
    await record(database.pool, orderEvent('a', 1));
    await until(() => waybill.stored.length === 1, 'the first event is published');
    await until(isListening, 'the relay listens again');
    await record(database.pool, orderEvent('a', 2));
    await until(() => waybill.stored.length === 2, 'the second event is published');
    expect(logged(NOT_USABLE)).toEqual([]);
  });

  it('are not needed: the relay polls', async () => {
    await database.pool.query(`alter database ${new URL(database.url).pathname.slice(1)} set waybill.notify = off`);
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    try {
      start();
      await until(isListening, 'the relay listens');
      await record(writer, orderEvent('a', 1));
      await until(() => waybill.stored.length === 1, 'the event is published');
      expect(await countOf(database.pool, 'rejected')).toBe(0);
    } finally {
      await writer.end();
    }
  });

  it('are not used with a pool of one connection', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    try {
      const single = startTestRelay(pool, waybill.url);
      await record(database.pool, orderEvent('a', 1));
      await single.drained();
      expect(await isListening()).toBe(false);
      await single.stop();
    } finally {
      await pool.end();
    }
  });
});

describe('a lost database', () => {
  it('loses nothing while connections are killed', async () => {
    const relayed = start({ batchSize: 7 });
    const recorded = 600;
    const writing = (async () => {
      for (let n = 1; n <= recorded; n += 1) {
        // The writer's own connections are killed too.
        await until(
          () =>
            record(database.pool, orderEvent(`r${n % 3}`, n)).then(
              () => true,
              () => false,
            ),
          'the event is recorded',
        );
      }
    })();
    for (let round = 0; round < 15; round += 1) {
      await until(async () => (await terminate('%').catch(() => 0)) > 0, 'connections were killed');
      await until(async () => (await countOf(database.pool, 'events').catch(() => -1)) >= 0, 'the database answers');
    }
    await writing;
    await until(async () => {
      const drained = relayed.drained().then(
        () => true,
        () => false,
      );
      return drained;
    }, 'all are published');
    const revisions = waybill.stored.map(({ object }) => Number(object['revision']));
    // A record whose connection was killed at the commit was repeated by the writer.
    expect(new Set(revisions).size).toBe(recorded);
    expect(await countOf(database.pool, 'events')).toBe(0);
  });

  it('does not keep stop() waiting forever when it is silent', async () => {
    const proxy = await silentProxy(database.url);
    const pool = new pg.Pool({ connectionString: proxy.url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
    try {
      const silent = startTestRelay(pool, waybill.url);
      await until(() => silent.logged('outbox relay publishes').length === 1, 'it publishes');
      proxy.silence();
      await until(() => silent.logged(NOT_USABLE).length > 0, 'the outage is logged');
      await silent.stop();
      expect(silent.logged('outbox relay could not give up its lease')).toHaveLength(1);
    } finally {
      await pool.end();
      await proxy.close();
    }
  });
});

/** Forwards a port to the database until it is silenced. */
async function silentProxy(url: string): Promise<{ url: string; silence(): void; close(): Promise<void> }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.on('data', (data) => void (silent || upstream.write(data)));
    upstream.on('data', (data) => void (silent || client.write(data)));
    client.on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(address.port);
  return {
    url: through.href,
    silence: () => (silent = true),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
