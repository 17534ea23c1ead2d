import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { AttemptRollup } from '../../src/delivery/rollups/attempt-rollup.js';
import { RollupStore } from '../../src/delivery/rollups/rollup-store.js';
import { HealthReports } from '../../src/destinations/health/health-reports.js';
import { HealthStore } from '../../src/destinations/health/health-store.js';
import { systemContext } from '../../src/events/envelope/system-context.js';
import { EventRecorder } from '../../src/events/fan-out/event-recorder.js';
import { createLogger } from '../../src/logging/logger.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { untilCountable } from './support/other-transactions.js';
import { deliveriesOf, seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const STATUS = 'event_destination_status_changed.v0';
const REJECTED = 'event_delivery_rejected.v0';
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
let accountId: string;
let notified: string[];
let reports: HealthReports;
beforeEach(async () => {
  store = await createTestStore();
  accountId = await seedAccount(store);
  notified = [];
  reports = reportsWith(new HealthStore(store.db));
});
afterEach(() => store.close());

function reportsWith(health: HealthStore): HealthReports {
  return new HealthReports(store.db, health, { notify: (ids) => void notified.push(...ids) }, createLogger('silent'));
}

function destination(of = accountId): Promise<SeededDestination> {
  return seedDestination(store, new SecretStore(testKeyRing()), new LaneStore(store.db, targetLimits), of);
}

/** Subscribes a destination to event types. */
async function subscribe({ id, accountId: account }: SeededDestination, types: readonly string[]): Promise<void> {
  const subscription = `esb_${id}`;
  await store.pool.query(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     values ($1, $2, 'event_subscription', '{}', now(), now())`,
    [subscription, account],
  );
  await store.pool.query(
    `insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select $1, unnest($2::text[]), $3, $4`,
    [account, types, id, subscription],
  );
}

/** Gives a lane a status since so many seconds. */
async function become({ id }: SeededDestination, status: string, seconds: number): Promise<void> {
  await store.pool.query(
    `update delivery_lanes
     set status = $2, status_since = now() - $3 * interval '1 second',
         last_error_code = case $2 when 'healthy' then last_error_code else 'AccessDenied' end
     where destination_id = $1`,
    [id, status, seconds],
  );
}

const PAUSE = {
  reason: 'The index is being rebuilt.',
  since: '2026-11-23T10:00:00.000Z',
  principal: { id: 'usr_1', subject: 'Ann', credential_id: 'ak_1' },
};

/** Pauses a lane since so many seconds. */
async function pause({ id }: SeededDestination, seconds: number): Promise<void> {
  await store.pool.query(
    `with lane as (
       update delivery_lanes set paused_at = now() - $2 * interval '1 second' where destination_id = $1
     )
     update resources set attributes = attributes || jsonb_build_object('paused', $3::jsonb) where id = $1`,
    [id, seconds, JSON.stringify(PAUSE)],
  );
}

/** Ends the pause of a lane, so many seconds ago. */
async function endPause({ id }: SeededDestination, seconds: number): Promise<void> {
  await store.db.transaction().execute((trx) => new LaneStore(store.db, targetLimits).unpause(trx, id));
  await store.pool.query(
    `with lane as (
       update delivery_lanes
       set pauses = tstzmultirange(tstzrange(lower(pauses) - interval '1 day', now() - $2 * interval '1 second'))
       where destination_id = $1
     )
     update resources set attributes = attributes || '{"paused": null}' where id = $1`,
    [id, seconds],
  );
}

interface Payload {
  readonly event_type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** The payloads of the events about health, oldest first. */
async function payloads(): Promise<readonly Payload[]> {
  const { rows } = await store.pool.query<{ payload: string }>(
    `select payload from events where type = any($1) order by id`,
    [[STATUS, REJECTED]],
  );
  return rows.map(({ payload }) => JSON.parse(payload) as Payload);
}

const objects = async () => (await payloads()).map(({ object }) => object);
const waitingFor = async ({ id }: SeededDestination) => (await deliveriesOf(store, id)).length;

describe('a changed status', () => {
  it('is reported once to every other destination that is subscribed, and so is the recovery', async () => {
    const [failing, watcher, other] = [await destination(), await destination(), await destination()];
    for (const one of [failing, watcher]) await subscribe(one, [STATUS]);
    await subscribe(other, ['ip_policy_created.v0']);
    await become(failing, 'misconfigured', 61);
    expect(await reports.run(control)).toBe(1);
    expect(await reports.run(control)).toBe(0);
    await become(failing, 'healthy', 61);
    expect(await reports.run(control)).toBe(1);
    expect(await objects()).toMatchObject([
      { id: failing.id, status: 'misconfigured', previous_status: 'healthy', error_code: 'AccessDenied' },
      { id: failing.id, status: 'healthy', previous_status: 'misconfigured', error_code: null },
    ]);
    expect(await Promise.all([failing, watcher, other].map(waitingFor))).toEqual([0, 2, 0]);
    expect(notified).toEqual([watcher.id, watcher.id]);
  });

  it('is reported as its schema says, by the service itself, without the target', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    await subscribe(watcher, [STATUS]);
    await become(failing, 'retrying', 61);
    await reports.run(control);
    const [payload] = await payloads();
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      eventCatalogue.schemaOf(STATUS) as object,
    );
    expect(validate({ ...payload, epoch: 1, sequence: 1 }), JSON.stringify(validate.errors)).toBe(true);
    expect(payload).toMatchObject({ version: 0, principal: { subject: 'system:health', credential: null } });
    expect(JSON.stringify(payload)).not.toContain(failing.address);
  });

  it('is not reported before it has lasted a minute, nor when it has changed back', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    await subscribe(watcher, [STATUS]);
    await become(failing, 'retrying', 50);
    expect(await reports.run(control)).toBe(0);
    await become(failing, 'healthy', 0);
    expect(await reports.run(control)).toBe(0);
    await become(failing, 'healthy', 1_000);
    expect(await reports.run(control)).toBe(0);
  });

  it('is reported later and later while it changes often, and soon again after a day', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    await subscribe(watcher, [STATUS]);
    const holds: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const status = n % 2 === 0 ? 'retrying' : 'healthy';
      const isReportedAfter = async (seconds: number) => {
        await become(failing, status, seconds);
        return (await reports.run(control)) === 1;
      };
      let seconds = 61;
      while (!(await isReportedAfter(seconds))) seconds *= 2;
      holds.push(seconds / 61);
    }
    expect(holds).toEqual([1, 1, 2, 2, 4, 4]);
    await store.pool.query(`update reported_statuses set reported_at = now() - interval '25 hours'`);
    await seedEvents(store, [failing], 1);
    await become(failing, 'retrying', 61);
    expect(await reports.run(control)).toBe(1);
    await become(failing, 'healthy', 61);
    expect(await reports.run(control)).toBe(1);
  });

  it('is not reported where no other destination of the account is subscribed', async () => {
    const [failing, stranger] = [await destination(), await destination(await seedAccount(store))];
    for (const one of [failing, stranger]) await subscribe(one, [STATUS]);
    await become(failing, 'misconfigured', 61);
    expect(await reports.run(control)).toBe(0);
    expect(await payloads()).toEqual([]);
  });

  it('is reported once when the transaction of the event fails', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    await subscribe(watcher, [STATUS]);
    await become(failing, 'misconfigured', 61);
    await store.pool.query(
      `create function fail() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`,
    );
    await store.pool.query('create trigger fail before insert on deliveries for each row execute function fail()');
    expect(await reports.run(control)).toBe(0);
    await store.pool.query('drop trigger fail on deliveries');
    const turns = await Promise.all([reports.run(control), reports.run(control)]);
    expect(turns.toSorted()).toEqual([0, 1]);
    expect(await waitingFor(watcher)).toBe(1);
  });

  it('is also a pause, with who made it and why, and its end', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    for (const one of [failing, watcher]) await subscribe(one, [STATUS]);
    await become(failing, 'healthy', 1_000);
    await pause(failing, 50);
    expect(await reports.run(control)).toBe(0);
    await pause(failing, 61);
    expect(await reports.run(control)).toBe(1);
    expect(await reports.run(control)).toBe(0);
    // The status before the pause is as old as it was: it counts from the end of the pause.
    await endPause(failing, 50);
    expect(await reports.run(control)).toBe(0);
    await endPause(failing, 61);
    const before = Date.now();
    expect(await reports.run(control)).toBe(1);
    const reported = await objects();
    expect(reported).toMatchObject([
      { id: failing.id, status: 'paused', previous_status: 'healthy', error_code: null, paused: PAUSE },
      { id: failing.id, status: 'healthy', previous_status: 'paused', error_code: null, paused: null },
    ]);
    expect(before - Date.parse(String(reported[1]?.since))).toBeLessThan(120_000);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      eventCatalogue.schemaOf(STATUS) as object,
    );
    for (const payload of await payloads())
      expect(validate({ ...payload, epoch: 1, sequence: 1 }), JSON.stringify(validate.errors)).toBe(true);
    expect(await Promise.all([failing, watcher].map(waitingFor))).toEqual([0, 2]);
  });

  it('of a paused destination is its pause, whatever its attempts do, and the failure after the end', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    await subscribe(watcher, [STATUS]);
    await become(failing, 'retrying', 61);
    expect(await reports.run(control)).toBe(1);
    await pause(failing, 61);
    expect(await reports.run(control)).toBe(1);
    // The call that was under way.
    await become(failing, 'misconfigured', 3_600);
    expect(await reports.run(control)).toBe(0);
    await endPause(failing, 10);
    expect(await reports.run(control)).toBe(0);
    await endPause(failing, 121);
    expect(await reports.run(control)).toBe(1);
    expect(await objects()).toMatchObject([
      { status: 'retrying', previous_status: 'healthy', error_code: 'AccessDenied', paused: null },
      { status: 'paused', previous_status: 'retrying', error_code: 'AccessDenied', paused: PAUSE },
      { status: 'misconfigured', previous_status: 'paused', error_code: 'AccessDenied', paused: null },
    ]);
  });

  it('is not reported for a pause of less than a minute, and later and later for many pauses', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    await subscribe(watcher, [STATUS]);
    await become(failing, 'healthy', 1_000_000);
    await pause(failing, 30);
    expect(await reports.run(control)).toBe(0);
    await endPause(failing, 61);
    expect(await reports.run(control)).toBe(0);
    const holds: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      let seconds = 61;
      const reportedAfter = async () => {
        await (n % 2 === 0 ? pause(failing, seconds) : endPause(failing, seconds));
        return (await reports.run(control)) === 1;
      };
      while (!(await reportedAfter())) seconds *= 2;
      holds.push(seconds / 61);
    }
    expect(holds).toEqual([1, 1, 2, 2, 4, 4]);
  });

  it('is forgotten with the destination', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    await subscribe(watcher, [STATUS]);
    await become(failing, 'misconfigured', 61);
    await reports.run(control);
    await store.pool.query('delete from resources where id = $1', [failing.id]);
    await reports.run(control);
    expect((await store.pool.query('select from reported_statuses')).rowCount).toBe(0);
  });
});

describe('rejected deliveries', () => {
  /** Records an attempt with rejections, so many seconds ago. */
  async function rejected({ id }: SeededDestination, count: number, first: number, seconds: number): Promise<void> {
    const rejections = { count, first_sequence: first, last_sequence: first + count - 1, code: `Code${first}` };
    await store.pool.query(
      `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered,
                                      retried, rejected, outcome, rejections, recorded_at)
       values ('bat_1', $1, 1, now(), 1, $2, 0, 0, $2, 'rejected', $3, now() - $4 * interval '1 second')`,
      [id, count, JSON.stringify(rejections), seconds],
    );
  }
  async function rollUp(): Promise<void> {
    await untilCountable(store);
    await new AttemptRollup(new RollupStore(store.db), createLogger('silent')).run(control);
  }

  it('are reported together when the first of them is a minute old', async () => {
    const [failing, watcher] = [await destination(), await destination()];
    for (const one of [failing, watcher]) await subscribe(one, [REJECTED]);
    await rejected(failing, 2, 7, 50);
    await rollUp();
    expect(await reports.run(control)).toBe(0);
    await rejected(failing, 3, 100, 70);
    await rollUp();
    expect(await reports.run(control)).toBe(1);
    expect(await reports.run(control)).toBe(0);
    const [payload] = await payloads();
    expect(payload?.object).toMatchObject({ count: 5, first_sequence: 7, last_sequence: 102, error_code: 'Code7' });
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      eventCatalogue.schemaOf(REJECTED) as object,
    );
    expect(validate({ ...payload, epoch: 1, sequence: 1 }), JSON.stringify(validate.errors)).toBe(true);
    expect(await Promise.all([failing, watcher].map(waitingFor))).toEqual([0, 1]);
  });

  it('are reported of the others when those of one destination cannot be recorded', async () => {
    const all = [await destination(), await destination(), await destination()];
    for (const one of all) await subscribe(one, [REJECTED]);
    const [broken, works] = all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    if (!broken || !works) throw new Error('no destination');
    for (const one of [broken, works]) await rejected(one, 1, 1, 70);
    await rollUp();
    await store.pool.query(
      `create function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    );
    await store.pool.query(
      `create trigger refuse_event before insert on events for each row when (new.resource_id = '${broken.id}')
       execute function refuse_event()`,
    );
    expect(await reports.run(control)).toBe(1);
    await store.pool.query('drop trigger refuse_event on events');
    expect(await reports.run(control)).toBe(1);
  });

  it('are forgotten where no other destination is subscribed', async () => {
    const failing = await destination();
    await subscribe(failing, [REJECTED]);
    await rejected(failing, 2, 7, 70);
    await rollUp();
    expect(await reports.run(control)).toBe(0);
    await subscribe(await destination(), [REJECTED]);
    expect(await reports.run(control)).toBe(0);
    expect(await payloads()).toEqual([]);
  });
});

describe('destinations that report each other', () => {
  it('make a bounded number of events, although each event changes the status of its receivers', async () => {
    const all = [await destination(), await destination(), await destination()];
    for (const one of all) await subscribe(one, [STATUS, REJECTED]);
    // A second after each event, for a hold time of a millisecond: it is reached after ten doublings.
    const chain = reportsWith(new HealthStore(store.db, 1));
    const [first] = all;
    if (!first) throw new Error('no destination');
    await become(first, 'misconfigured', 1);
    let events = 0;
    let rounds = 0;
    for (let made = 1; made > 0 && rounds < 200; rounds += 1) {
      made = await chain.run(control);
      events += made;
      // Whatever arrives changes the status of its receiver.
      const { rows } = await store.pool.query<{ destination_id: string }>(
        `with taken as (delete from deliveries returning *),
         kept as (
           insert into finished_deliveries (id, event_id, destination_id, account_id, state, attempts, created_at, finished_at)
           select id, event_id, destination_id, account_id, 'delivered', 1, created_at, now() from taken
         )
         select distinct destination_id from taken`,
      );
      for (const { destination_id: id } of rows) {
        await store.pool.query(
          `update delivery_lanes
           set status = case status when 'healthy' then 'retrying' else 'healthy' end,
               status_since = now() - interval '1 second'
           where destination_id = $1`,
          [id],
        );
      }
      // Long ago: but nothing else was delivered, so no destination counts anew.
      await store.pool.query(`update reported_statuses set reported_at = reported_at - interval '2 days'`);
      await store.pool.query(`update finished_deliveries set created_at = created_at - interval '1 day'`);
    }
    expect(events).toBeGreaterThan(10);
    expect(events).toBeLessThanOrEqual(3 * 22);
    expect(rounds).toBeLessThan(200);
  });
});

it('a fan-out that waits for the background leaves the destination out as well', async () => {
  const all = [await destination(), await destination(), await destination()];
  for (const one of all) await subscribe(one, [STATUS]);
  const [about, ...others] = all.map(({ id }) => id);
  const recorder = new EventRecorder({ inline: 1, part: 2 });
  const report = { type: STATUS, resourceId: about ?? '', object: {} } as const;
  await store.db
    .transaction()
    .execute((trx) => recorder.recordReport(trx, systemContext(accountId, 'health', ''), report));
  const { rows } = await store.pool.query<{ destination_ids: string[] }>('select destination_ids from fan_out_parts');
  expect(rows.flatMap(({ destination_ids }) => destination_ids).toSorted()).toEqual(others.toSorted());
});
