import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { record, startRelay } from '../src/index.js';
import {
  countOf,
  orderEvent,
  outOfOrder,
  recordAll,
  startTestRelay,
  until,
  type TestRelay,
} from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

let database: TestDatabase;
let waybill: WaybillStub;
const relays: TestRelay[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  waybill = await startWaybillStub();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map(({ stop }) => stop()));
  await waybill.close();
  await database.clear();
});
afterAll(() => database.close());

function start(options: Parameters<typeof startTestRelay>[2] = {}): TestRelay {
  const relay = startTestRelay(database.pool, waybill.url, options);
  relays.push(relay);
  return relay;
}

/** Holds the answers of Waybill back, on their way to a relay, until `answer` is called. */
async function withHeldAnswers(work: (answer: () => void) => Promise<void>): Promise<void> {
  const { fetch } = globalThis;
  let answer = (): void => {};
  globalThis.fetch = async (...request) => {
    const response = await fetch(...request);
    await new Promise<void>((resolve) => (answer = resolve));
    return response;
  };
  try {
    await work(() => answer());
  } finally {
    answer();
    globalThis.fetch = fetch;
  }
}

const leads = ({ logged }: TestRelay) => logged('outbox relay publishes').length > 0;
const holder = async () => (await database.pool.query('select holder from waybill_outbox.relay')).rows[0].holder;

describe('several relays', () => {
  it('take turns: one publishes, and another one continues when it stops', async () => {
    const first = start();
    await until(() => leads(first), 'the first one publishes');
    const second = start();
    await recordAll(
      database.pool,
      Array.from({ length: 50 }, (_, n) => orderEvent('a', n + 1)),
    );
    await second.drained();
    expect(leads(second)).toBe(false);
    await first.stop();
    await record(database.pool, orderEvent('a', 51));
    await second.drained();
    expect(leads(second)).toBe(true);
    expect(waybill.stored).toHaveLength(51);
    expect(waybill.mostAtOnce()).toBe(1);
  });

  it('wait for the end of the lease of one that has died', async () => {
    const { rows: dead } = await database.pool.query<{ expires_at: Date }>(
      `update waybill_outbox.relay set holder = 'dead', expires_at = clock_timestamp() + interval '2 seconds'
       returning expires_at`,
    );
    await record(database.pool, orderEvent('a', 1));
    const relay = start();
    expect((await relay.status()).holder).toBe('dead');
    await relay.drained();
    const { lastPublishedAt } = await relay.status();
    expect(lastPublishedAt?.getTime()).toBeGreaterThanOrEqual(dead[0]?.expires_at.getTime() ?? Infinity);
    expect(waybill.stored).toHaveLength(1);
  });

  it('settle nothing after the loss of the lease: an event may have been repaired since', async () => {
    await record(database.pool, orderEvent('a', 1));
    await withHeldAnswers(async (answer) => {
      const late = start();
      await until(() => waybill.stored.length === 1, 'the event is stored');
      await database.pool.query(
        `update waybill_outbox.relay set holder = 'other', expires_at = clock_timestamp() + interval '1 hour'`,
      );
      await database.pool.query(`update waybill_outbox.events set event = event || '{"repaired": {}}'`);
      answer();
      await until(() => late.logged('outbox batch accepted').length === 1, 'the answer is there');
      expect(await countOf(database.pool, 'events')).toBe(1);
      expect((await late.status()).published).toBe(0);
    });
  });

  it('do not wait for a lease that was taken before the clock of the database was set back', async () => {
    await database.pool.query(
      `update waybill_outbox.relay set holder = 'dead', expires_at = clock_timestamp() + interval '1 day'`,
    );
    await record(database.pool, orderEvent('a', 1));
    await start().drained();
    expect(waybill.stored).toHaveLength(1);
  });

  it('publish everything once and in order while they start and stop', async () => {
    let recorded = 0;
    const done = new AbortController();
    const writing = (async () => {
      while (!done.signal.aborted) {
        await record(database.pool, orderEvent(`r${recorded % 5}`, (recorded += 1)));
      }
    })();
    for (let turn = 0; turn < 8; turn += 1) {
      start({ batchSize: 1 + (turn % 3) * 20 });
      await sleep(100);
      await relays.shift()?.stop();
    }
    done.abort();
    await writing;
    await start().drained();
    expect(waybill.stored).toHaveLength(recorded);
    expect(outOfOrder(waybill.stored)).toEqual([]);
  });
});

describe('stop', () => {
  it('while nothing waits gives up the lease', async () => {
    const relay = start({ pollIntervalMs: 60_000 });
    await until(() => leads(relay), 'it publishes');
    await relay.stop();
    expect(await holder()).toBeNull();
    expect(database.pool.listenerCount('error')).toBe(1);
  });

  it('right after the start', async () => {
    await record(database.pool, orderEvent('a', 1));
    await start().stop();
    expect(await holder()).toBeNull();
  });

  it('during a request waits for the answer, and writes the result', async () => {
    await recordAll(database.pool, [orderEvent('a', 1), orderEvent('a', 2)]);
    await withHeldAnswers(async (answer) => {
      const relay = start({ batchSize: 1 });
      await until(() => waybill.stored.length === 1, 'the first event is stored');
      const stopping = relay.stop();
      await sleep(200);
      expect(await countOf(database.pool, 'events')).toBe(2);
      answer();
      await stopping;
    });
    expect(await countOf(database.pool, 'events')).toBe(1);
    expect(waybill.stored).toHaveLength(1);
    expect(await holder()).toBeNull();
  });

  it('during a request without an answer ends at its timeout', async () => {
    waybill.answer(() => 'hang');
    await record(database.pool, orderEvent('a', 1));
    const relay = start({ requestTimeoutMs: 1_000 });
    await until(() => waybill.batches.length === 1, 'the event was sent');
    await relay.stop();
    expect(await countOf(database.pool, 'events')).toBe(1);
    expect(await holder()).toBeNull();
  });

  it('during a backoff does not wait for its end', async () => {
    waybill.answer(() => ({ status: 503, headers: { 'retry-after': '300' } }));
    await record(database.pool, orderEvent('a', 1));
    const relay = start();
    await until(() => relay.logged('outbox batch will be sent again').length === 1, 'it backs off');
    await relay.stop();
    expect(await holder()).toBeNull();
  });

  it('while another relay publishes', async () => {
    const first = start();
    await until(() => leads(first), 'the first one publishes');
    const second = start({ pollIntervalMs: 60_000 });
    await until(async () => (await second.status()).holder !== null, 'the second one waits');
    await second.stop();
    expect(await holder()).not.toBeNull();
  });

  it('ends drained() with an error, and may be called twice', async () => {
    waybill.answer(() => 'hang');
    await record(database.pool, orderEvent('a', 1));
    const relay = start({ requestTimeoutMs: 500 });
    const drained = relay.drained().catch(String);
    await Promise.all([relay.stop(), relay.stop()]);
    expect(await drained).toContain('The relay was stopped before the outbox was empty.');
  });
});

describe('an option that is not valid', () => {
  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['url', { url: 'waybill' }, /^url must be the http or https address/],
    ['url with a password', { url: 'https://a:secret@b' }, /^url must not contain a user name or a password\.$/],
    ['url with a query', { url: 'https://b?x=1' }, /^url must not have a query/],
    ['key', { key: '' }, /^key must be an API key/],
    ['batchSize', { batchSize: 0 }, /^batchSize must be a whole number from 1 to 500, not 0\.$/],
    ['pollIntervalMs', { pollIntervalMs: 1.5 }, /^pollIntervalMs must be/],
    ['leaseMs', { leaseMs: Number.NaN }, /^leaseMs must be/],
    ['requestTimeoutMs', { requestTimeoutMs: -1 }, /^requestTimeoutMs must be/],
    ['afterRejection', { afterRejection: 'skip' }, /^afterRejection must be 'hold' or 'continue', not skip\.$/],
  ])('is refused with its name: %s', (_, option, message) => {
    const options = { pool: database.pool, url: waybill.url, key: 'k', ...option };
    expect(() => startRelay(options)).toThrow(message);
    expect(() => startRelay(options)).toThrow(TypeError);
  });
});
