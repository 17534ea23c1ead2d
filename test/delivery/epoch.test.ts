import { randomBytes } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/database/database.js';
import type { Store } from '../../src/database/store.js';
import { EpochStore } from '../../src/delivery/epochs/epoch-store.js';
import { Epochs } from '../../src/delivery/epochs/epochs.js';
import { LaneStartStore } from '../../src/delivery/epochs/lane-start-store.js';
import { readServerIdentity } from '../../src/delivery/epochs/server-identity.js';
import type { Witness } from '../../src/delivery/epochs/witness.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease } from '../../src/delivery/lanes/lane.js';
import { EpochStarts } from '../../src/delivery/recovery/epoch-starts.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { recordEpochMarkers } from '../../src/events/fan-out/epoch-markers.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { unattended } from '../../src/maintenance/maintenance.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { healthySettlement } from './support/healthy-settlement.js';
import { MemoryWitness } from './support/memory-witness.js';
import {
  deliveriesOf,
  laneOf,
  seedAccount,
  seedDestination,
  seedEvents,
  type SeededDestination,
} from './support/seed.js';

const MINUTE = 60_000;
const logger = createLogger('fatal');
const secrets = new SecretStore(testKeyRing());
let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let accountId: string;

beforeAll(async () => {
  store = await createTestStore({ poolSize: 20 });
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  accountId = await seedAccount(store);
});
afterAll(() => store.close());
beforeEach(() => new Epochs({ db: store.db, witness: null, logger }).check());

const epochs = (witness: Witness | null = null) => new Epochs({ db: store.db, witness, logger });
const identityAt = (db: Database) => db.transaction().execute(readServerIdentity);
const current = async () => (await new EpochStore(store.db).read()).epoch;

/** Starts the epoch in the lanes, as a sweep does. Jobs are not part of it. */
const startLanes = (witness: Witness | null = null, control = unattended) =>
  new EpochStarts({
    laneStarts: new LaneStartStore(store.db),
    witness,
    recordMarkers: recordEpochMarkers,
    dispatcher: { addJob: () => Promise.resolve() },
    logger,
  }).run(control);

/** Makes the record of the server that of another one, as after a restart or a failover. */
const anotherServer = (columns = '') =>
  store.pool.query(
    `update installation set server_started_at = '2020-01-01', recorded_by = pg_current_xact_id() ${columns}`,
  );

async function seeded(events: number): Promise<SeededDestination> {
  const destination = await seedDestination(store, secrets, lanes, accountId);
  await seedEvents(store, [destination], events);
  return destination;
}

async function leased(id: string, batchId: string): Promise<Lease> {
  const grant = await lanes.lease(id, batchId, newId('att'), MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

/** Claims and delivers the next batch. Returns the numbers that were sent, as `epoch:sequence`. */
async function delivered(id: string): Promise<readonly string[]> {
  const batchId = newId('bat');
  if (!(await lanes.claim(id, batchId))) return [];
  return settled(await leased(id, batchId));
}

async function settled(lease: Lease): Promise<readonly string[]> {
  const loaded = await batches.load(lease);
  expect(
    await lanes.settle(lease, {
      delivered: loaded.map(({ id, event }) => ({ id, sequence: event.sequence })),
      undelivered: [],
      ...healthySettlement,
    }),
  ).toBe('settled');
  return loaded.map(({ event }) => {
    const { epoch, sequence } = JSON.parse(event.json);
    return `${epoch}:${sequence}`;
  });
}

/** Delivers the batch of the marker, which the start of the epoch has claimed. */
async function markerOf(id: string) {
  const { batch_id: batchId } = await laneOf(store, id);
  const lease = await leased(id, batchId ?? '');
  const [marker] = await batches.load(lease);
  await settled(lease);
  return JSON.parse(marker?.event.json ?? '{}');
}

describe('the fence', () => {
  it('assigns no number on a server that was not admitted, and lets go after the check', async () => {
    const epoch = await current();
    const waiting = await seeded(1);
    const busy = await seeded(1);
    await lanes.claim(busy.id, 'bat_fenced');
    const failing = await seeded(1);
    await store.pool.query('update delivery_lanes set failures = 1 where destination_id = $1', [failing.id]);
    await anotherServer();

    expect(await lanes.claim(waiting.id, 'bat_1')).toBeNull();
    const grant = await lanes.lease(busy.id, 'bat_fenced', 'att_1', MINUTE);
    expect(grant).toMatchObject({ kind: 'later' });
    expect(grant.kind === 'later' && grant.delayMs >= 1_000).toBe(true);
    expect(await lanes.expireWaiting(failing.id, 0, 10)).toBe(0);

    await epochs().check();
    expect(await current()).toBe(epoch);
    expect(await delivered(waiting.id)).toEqual([`${epoch}:1`]);
    expect(await lanes.lease(busy.id, 'bat_fenced', 'att_1', MINUTE)).toMatchObject({ kind: 'granted' });
    expect(await lanes.expireWaiting(failing.id, 0, 10)).toBe(1);
  });

  it('lets an attempt be recorded that was sent before, and gives it no next batch', async () => {
    const { id } = await seeded(1);
    await lanes.claim(id, 'bat_before');
    const lease = await leased(id, 'bat_before');
    await seedEvents(store, [{ id, accountId, kind: 'data_stream', address: '' }], 1);
    const [first] = await batches.load(lease);
    await anotherServer();
    const settlement = {
      delivered: [{ id: first?.id ?? 0, sequence: 1 }],
      undelivered: [],
      ...healthySettlement,
    } as const;
    const next = { batchId: 'bat_after', token: 'att_after' };
    expect(await lanes.advance({ recorded: { lease, settlement }, current: null, next }, MINUTE)).toEqual({
      kind: 'advanced',
      next: null,
    });
    expect(await laneOf(store, id)).toMatchObject({ batch_id: null, next_sequence: 2 });
  });

  it('holds while the witness cannot be asked', async () => {
    const witness = new MemoryWitness();
    witness.failure = new Error('the witness is away');
    const { id } = await seeded(1);
    await anotherServer();
    await expect(epochs(witness).check()).rejects.toThrow('the witness is away');
    expect(await lanes.claim(id, 'bat_1')).toBeNull();
  });

  it('repeats a failed check until it succeeds, and says so', async () => {
    const witness = new MemoryWitness();
    witness.failure = new Error('the witness is away');
    await anotherServer();
    const guard = epochs(witness);
    const admitted = new Promise<void>((resolve) => guard.onAdmitted(resolve));
    await guard.start();
    expect((await new EpochStore(store.db).read()).admitted).toBe(false);
    witness.failure = null;
    await admitted;
    expect((await new EpochStore(store.db).read()).admitted).toBe(true);
    await guard.close();
  });

  it('is noticed by a pool whose connections reach another server', async () => {
    const starts: string[] = [];
    const { db } = openDatabase({
      connectionString: store.connectionString,
      poolSize: 1,
      applicationName: 'test',
      logger,
      onServer: (startedAt) => starts.push(startedAt),
    });
    await sql`select epoch from installation`.execute(db);
    await db.destroy();
    const { rows } = await store.pool.query('select pg_postmaster_start_time()::text as at');
    expect(starts).toEqual([rows[0].at]);
  });
});

describe('an epoch', () => {
  it.each([
    [`, system_identifier = '1'`, 'other_system'],
    [', timeline = 4242', 'other_timeline'],
  ])('begins on a server with another identity: %s', async (columns, reason) => {
    const before = await current();
    await anotherServer(columns);
    await epochs().check();
    expect(await current()).toBeGreaterThan(before);
    const { rows } = await store.pool.query('select reason from installation');
    expect(rows).toEqual([{ reason }]);
    // The identity is on record now.
    await epochs().check();
    expect((await store.pool.query('select reason from installation')).rows).toEqual([{ reason }]);
  });

  it('begins in a copy of the data that pg_restore has made', async () => {
    const before = await current();
    // Rows of a copy are written by another transaction.
    await store.pool.query(`
      create table copied as select * from installation`);
    await store.pool.query('delete from installation');
    await store.pool.query('insert into installation select * from copied');
    await store.pool.query('drop table copied');
    const { id } = await seeded(1);
    expect(await lanes.claim(id, 'bat_1')).toBeNull();
    await epochs().check();
    expect(await current()).toBeGreaterThan(before);
    expect((await store.pool.query('select reason from installation')).rows).toEqual([{ reason: 'database_copied' }]);
    await startLanes();
  });

  it('begins where the witness knows a higher number, and exceeds the epoch that the witness knows', async () => {
    const { id } = await seeded(2);
    await delivered(id);
    const before = await current();
    const witness = new MemoryWitness();
    await witness.add({ epoch: before, lanes: new Map([[id, { epoch: before, sequence: 2 }]]) });
    await epochs(witness).check();
    expect(await current()).toBe(before);

    await witness.add({ epoch: before, lanes: new Map([[id, { epoch: before, sequence: 34 }]]) });
    await epochs(witness).check();
    const epoch = await current();
    expect(epoch).toBeGreaterThan(before);
    // The marks of the epoch before are no sign of another loss.
    await epochs(witness).check();
    expect(await current()).toBe(epoch);

    const later = epoch + 1_000_000;
    await witness.add({ epoch: later, lanes: new Map() });
    await epochs(witness).check();
    expect(await current()).toBe(later + 1);
    await startLanes();
  });

  it('begins once, although many processes check at the same moment', async () => {
    const before = await current();
    await anotherServer(', timeline = 4242');
    const seen: number[] = [];
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await epochs().check();
        seen.push(await current());
      }),
    );
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toBeGreaterThan(before);
    await startLanes();
  });

  it('begins when an operator declares it, twice within a second too', async () => {
    const first = await epochs().declare();
    const second = await epochs().declare();
    expect(second.before).toBe(first.epoch);
    expect(second.epoch).toBeGreaterThan(first.epoch);
    await startLanes();
  });
});

describe('the identity of the server', () => {
  it('is the identifier of the cluster and the timeline of the write-ahead log', async () => {
    const { rows } = await store.pool.query(
      'select s.system_identifier::text as id, c.timeline_id as timeline from pg_control_system() s, pg_control_checkpoint() c',
    );
    expect(await identityAt(store.db)).toEqual({ systemIdentifier: rows[0].id, timeline: rows[0].timeline });
  });

  it('is null where the role may not read it, and the fence works', async () => {
    const role = `restricted_${randomBytes(4).toString('hex')}`;
    const functions = 'function pg_control_system(), pg_walfile_name(pg_lsn)';
    await store.pool.query(`create role ${role} login password 'secret'`);
    await store.pool.query(`revoke execute on ${functions} from public`);
    await store.pool.query(`grant select on installation to ${role}`);
    const url = new URL(store.connectionString);
    Object.assign(url, { username: role, password: 'secret' });
    const { db } = openDatabase({ connectionString: url.href, poolSize: 1, applicationName: 'test', logger });
    try {
      expect(await identityAt(db)).toEqual({ systemIdentifier: null, timeline: null });
      expect(await new EpochStore(db).read()).toMatchObject({ admitted: true });
    } finally {
      await db.destroy();
      await store.pool.query(`grant execute on ${functions} to public`);
      await store.pool.query(`revoke all on installation from ${role}`);
      await store.pool.query(`drop role ${role}`);
    }
  });

  it('is recorded when it becomes readable, and begins no epoch then', async () => {
    const epoch = await current();
    await store.pool.query(`
      update installation set system_identifier = null, timeline = null, recorded_by = pg_current_xact_id()`);
    await epochs().check();
    expect(await current()).toBe(epoch);
    const { rows } = await store.pool.query('select system_identifier, timeline from installation');
    expect(await identityAt(store.db)).toEqual({
      systemIdentifier: rows[0].system_identifier,
      timeline: Number(rows[0].timeline),
    });
  });
});

describe('the start of an epoch in a lane', () => {
  it('is its first number: an event that says which numbers may belong to undone events', async () => {
    const { id } = await seeded(3);
    const before = await current();
    await delivered(id);
    const waiting = await seedEvents(store, [{ id, accountId, kind: 'data_stream', address: '' }], 2);
    const witness = new MemoryWitness();
    await witness.add({ epoch: before, lanes: new Map([[id, { epoch: before, sequence: 9 }]]) });
    await epochs(witness).check();
    const epoch = await current();
    // Fenced until the lane has begun the epoch.
    expect(await lanes.claim(id, 'bat_early')).toBeNull();
    await startLanes(witness);
    expect(await lanes.claim(id, 'bat_early')).toBeNull();

    const marker = await markerOf(id);
    expect(marker).toMatchObject({
      event_type: 'event_destination_epoch_started.v0',
      account_id: accountId,
      // A version of the destination would hide its waiting changes from readers that compare versions.
      version: 0,
      epoch,
      sequence: 4,
      principal: { id: 'system', subject: 'system:recovery', credential: null },
      object: {
        id,
        epoch,
        reason: 'numbers_lost',
        undone: {
          after: { epoch: before, sequence: 3 },
          before: { epoch, sequence: 4 },
          witnessed: { epoch: before, sequence: 9 },
        },
      },
    });
    const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(
      eventCatalogue.schemaOf(String(marker.event_type)) ?? {},
    );
    expect(validate(marker), JSON.stringify(validate.errors)).toBe(true);
    // Searches find it as every other event.
    const { rows } = await store.pool.query('select principal_id, operation_id from events where id = $1', [
      marker.event_id,
    ]);
    expect(rows).toEqual([{ principal_id: 'system', operation_id: marker.request.operation_id }]);
    const batch = await lanes.claim(id, 'bat_next');
    expect(batch?.events.map((event) => [event.id, event.sequence])).toEqual(waiting.map((event, i) => [event, i + 5]));
    expect(await settled(await leased(id, 'bat_next'))).toEqual([`${epoch}:5`, `${epoch}:6`]);
  });

  it('numbers a claimed batch again, and refuses the attempt under way', async () => {
    const { id } = await seeded(3);
    const before = await current();
    await lanes.claim(id, 'bat_old');
    const lease = await leased(id, 'bat_old');
    const sent = await batches.load(lease);
    expect(sent.map(({ event }) => event.sequence)).toEqual([1, 2, 3]);
    const { epoch } = await epochs().declare();
    await startLanes();
    expect(await lanes.renew(lease, MINUTE)).toBe(false);
    const marker = await markerOf(id);
    expect(marker).toMatchObject({ epoch, sequence: 1, object: { undone: { after: { epoch: before, sequence: 0 } } } });
    expect(await delivered(id)).toEqual([`${epoch}:2`, `${epoch}:3`, `${epoch}:4`]);
  });

  it('leaves a recorded number as it is: a redelivery repeats it, with its epoch', async () => {
    const { id } = await seeded(2);
    const before = await current();
    await delivered(id);
    const { epoch } = await epochs().declare();
    await startLanes();
    await markerOf(id);
    const [first] = await deliveriesOf(store, id);
    const redeliveries = new RedeliveryStore(store.db);
    const found = await redeliveries.find(accountId, id, [first?.event_id ?? '']);
    expect(await redeliveries.redeliver(id, [...found.values()])).toBe(1);
    await seedEvents(store, [{ id, accountId, kind: 'data_stream', address: '' }], 1);
    expect(first).toMatchObject({ sequence: 1 });
    expect(await delivered(id)).toEqual([`${before}:1`, `${epoch}:4`]);
  });

  it('happens once in each lane, also in many lanes and from many processes', async () => {
    const destinations = await Promise.all(Array.from({ length: 30 }, () => seeded(1)));
    const { epoch } = await epochs().declare();
    await Promise.all([startLanes(), startLanes(), startLanes()]);
    expect(await startLanes()).toBe(0);
    for (const { id } of destinations) {
      const lane = await laneOf(store, id);
      expect(lane).toMatchObject({ epoch, epoch_first_sequence: 1, next_sequence: 2 });
      expect(lane.earlier_epochs).toHaveLength(1);
      expect(await deliveriesOf(store, id)).toHaveLength(2);
    }
  });

  it('is left to the next sweep when the process stops', async () => {
    await seeded(1);
    await epochs().declare();
    expect(await startLanes(null, { ...unattended, stopped: AbortSignal.abort() })).toBe(0);
    let progress = 0;
    const started = await startLanes(null, { ...unattended, progressed: () => void (progress += 1) });
    expect([started > 0, progress > 0]).toEqual([true, true]);
  });

  it('needs no marker in a lane that is created afterwards', async () => {
    const { epoch } = await epochs().declare();
    await startLanes();
    const { id } = await seeded(1);
    expect(await delivered(id)).toEqual([`${epoch}:1`]);
  });
});

describe('a database that goes back', () => {
  /** The state of a lane, its deliveries and the record, as a backup holds them. */
  async function backup(id: string) {
    const tables = ['delivery_lanes', 'deliveries'] as const;
    const rows = await Promise.all(
      tables.map(
        async (table) => (await store.pool.query(`select * from ${table} where destination_id = $1`, [id])).rows,
      ),
    );
    return async (): Promise<void> => {
      for (const [index, table] of tables.entries()) {
        await store.pool.query(`delete from ${table} where destination_id = $1`, [id]);
        for (const row of rows[index] ?? [])
          await store.pool.query(
            `insert into ${table} overriding system value select * from jsonb_populate_record(null::${table}, $1)`,
            [JSON.stringify(row)],
          );
      }
    };
  }

  it('never sends one number with two events, wherever it goes back to', async () => {
    const { id } = await seeded(4);
    const witness = new MemoryWitness();
    const sent = new Map<string, string>();
    const send = async (): Promise<void> => {
      const { batch_id: claimed } = await laneOf(store, id);
      const batchId = claimed ?? newId('bat');
      if (claimed === null && !(await lanes.claim(id, batchId))) return;
      const lease = await leased(id, batchId);
      for (const { event } of await batches.load(lease)) {
        const { epoch, sequence } = JSON.parse(event.json);
        const number = `${epoch}:${sequence}`;
        expect([undefined, event.id]).toContain(sent.get(number));
        sent.set(number, event.id);
        await witness.add({ epoch: 0, lanes: new Map([[id, { epoch, sequence }]]) });
      }
      await settled(lease);
    };
    await send();
    for (let round = 0; round < 6; round += 1) {
      const restore = await backup(id);
      await seedEvents(store, [{ id, accountId, kind: 'data_stream', address: '' }], 3);
      await send();
      await seedEvents(store, [{ id, accountId, kind: 'data_stream', address: '' }], 2);
      // In every second round the backup is taken back while a batch is claimed.
      if (round % 2 === 0) await send();
      else await lanes.claim(id, newId('bat'));
      await restore();
      await anotherServer();
      await epochs(witness).check();
      await startLanes(witness);
      await seedEvents(store, [{ id, accountId, kind: 'data_stream', address: '' }], 2);
      await send();
      await send();
    }
    expect(sent.size).toBeGreaterThan(40);
  });
});
