import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { EpochStore } from '../../src/delivery/epochs/epoch-store.js';
import { Epochs } from '../../src/delivery/epochs/epochs.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';
import { onPostgres } from '../support/redis.js';
import { testKeyRing } from '../support/secrets.js';
import { MemoryWitness } from './support/memory-witness.js';
import { openChangingServer, type ChangingServer } from './support/other-server.js';
import { Pipeline } from './support/pipeline.js';
import { seedAccount, seedDestination } from './support/seed.js';

const logger = createLogger('fatal');

describe('a failover during a check', () => {
  let store: Store;
  let server: ChangingServer;
  let timeline = 4_000;
  beforeAll(async () => {
    store = await createTestStore();
    server = await openChangingServer(store);
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });

  /** Makes the first reading of the witness the moment of the failover. */
  class Interrupted extends MemoryWitness {
    readings = 0;
    constructor(private readonly failOver: () => Promise<void>) {
      super();
    }
    override async read() {
      const known = await super.read();
      this.readings += 1;
      if (this.readings === 1) await this.failOver();
      return known;
    }
  }

  const record = () => new EpochStore(server.db).read();
  const reason = async () => (await store.pool.query('select reason from installation')).rows[0].reason;

  it.each(['check', 'declare'] as const)(
    'never puts the identity of the old server on record for the new one: %s',
    async (how) => {
      await new Epochs({ db: server.db, witness: null, logger }).check();
      const before = await record();
      timeline += 1;
      const witness = new Interrupted(() => server.failOver(timeline));
      await new Epochs({ db: server.db, witness, logger })[how]();
      const after = await record();
      expect(after).toMatchObject({ admitted: true, timeline });
      expect(after.epoch).toBeGreaterThan(before.epoch);
      expect(await reason()).toBe(how === 'check' ? 'other_timeline' : 'declared');
      await new Epochs({ db: server.db, witness, logger }).check();
      expect((await record()).epoch).toBe(after.epoch);
    },
  );

  it('reads the witness again: it knows numbers that the old server recorded in between', async () => {
    const lanes = new LaneStore(store.db, targetLimits);
    const { id } = await seedDestination(store, new SecretStore(testKeyRing()), lanes, await seedAccount(store));
    // The server does not tell its timeline, before and after.
    await server.failOver(null);
    await store.pool.query('update installation set timeline = null, recorded_by = pg_current_xact_id()');
    await new Epochs({ db: server.db, witness: null, logger }).check();
    const { epoch } = await record();
    const witness: Interrupted = new Interrupted(async () => {
      await witness.add({ lanes: new Map([[id, { epoch, sequence: 9 }]]) });
      await server.failOver(null);
    });
    await new Epochs({ db: server.db, witness, logger }).check();
    expect(witness.readings).toBe(2);
    expect(await reason()).toBe('numbers_lost');
    expect((await record()).epoch).toBeGreaterThan(epoch);
  });

  it('fails when the server changes again and again, and leaves the fence closed', async () => {
    const witness = new MemoryWitness();
    const read = witness.read.bind(witness);
    witness.read = async () => {
      await server.failOver(timeline);
      return read();
    };
    await expect(new Epochs({ db: server.db, witness, logger }).check()).rejects.toThrow(
      'The database server changed during the check.',
    );
    expect(await record()).toMatchObject({ admitted: false });
  });
});

describe('a fence that another process has closed', () => {
  it('is noticed by the sweep, which has the record checked', async () => {
    const pipeline = await Pipeline.open(onPostgres);
    try {
      const destination = await pipeline.destination();
      await pipeline.startWorker();
      await pipeline.publish([destination], 1);
      await pipeline.settled(destination);
      // No connection reports another start of the server.
      await pipeline.store.pool.query(
        `update installation set server_started_at = '2020-01-01', recorded_by = pg_current_xact_id()`,
      );
      const published = await pipeline.publish([destination], 2);
      await until(
        async () => (await new EpochStore(pipeline.store.db).read()).admitted,
        'the server is admitted',
        60_000,
      );
      await pipeline.settled(destination);
      expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(
        expect.arrayContaining([...published]),
      );
    } finally {
      await pipeline.close();
    }
  });
});
