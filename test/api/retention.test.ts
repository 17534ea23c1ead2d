import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FinishedDays } from '../../src/delivery/finished/finished-days.js';
import { PruneStore } from '../../src/events/retention/prune-store.js';
import { Pruner } from '../../src/events/retention/pruner.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import type { JsonObject, TestClient } from '../support/api-client.js';
import { dropEventPartitions } from '../support/event-partitions.js';
import { exportCleanup, writeExport } from '../support/exports.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const DAY = 86_400_000;
const SETTINGS = {
  RETENTION_EVENTS_DAYS: '400',
  RETENTION_DELIVERED_DAYS: '7.5',
  RETENTION_UNDELIVERED_DAYS: '30',
  RETENTION_EXPORTS_DAYS: '2.5',
};
/** How far the clocks of the test and of the service may be apart, in milliseconds: both run on this machine. */
const CLOCKS_MS = 60_000;
const control = { stopped: new AbortController().signal, progressed: () => {} };
const logger = createLogger('silent');

let api: TestApi;
/** A destination of the account, and a resource with a removed event. */
let destination: string;
let resource: string;
/** An event that is kept and whose deliveries were removed. */
let event: string;

beforeAll(async () => {
  api = await startTestApi(SETTINGS);
  await dropEventPartitions(api.store);
  const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
  const stream = 'arn:aws:kinesis:eu-central-1:123456789012:stream/s';
  const created = await api.admin.create('/event_destinations', {
    target: { data_stream: { auth: { creds }, stream_arn: stream } },
  });
  destination = created.path;
  resource = (await api.admin.create('/ip_policies', {})).path;
});
beforeEach(async () => {
  await api.store.pool.query('delete from retention_marks');
  await api.store.pool.query(`update accounts set created_at = now() - interval '1000 days'`);
});
afterAll(() => api.close());

const path = (client: TestClient, of: string) => client.get(of).then(({ body }) => body);
const completeSince = async (of: string): Promise<unknown> => (await path(api.admin, of)).complete_since;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

/** Writes an event of the resource, into the default partition, which is pruned row by row. */
async function insertEvent(id: string, createdAt: Date): Promise<void> {
  await api.store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
     values ($1, $2, 'ip_policy_updated.v0', $3, '{}', $4, '')`,
    [id, api.accountId, resource.split('/').at(-1), createdAt],
  );
}

/** Writes a delivery that finished when its event was recorded, outside of the days. */
async function insertDelivery(createdAt: Date): Promise<void> {
  await api.store.pool.query(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     values (nextval(pg_get_serial_sequence('deliveries', 'id')), $1, $2, $3, 'delivered', 1, 1, $4, $4)`,
    [`evt_00${newId('evt').slice(6)}`, destination.split('/').at(-1), api.accountId, createdAt],
  );
}

async function insertAttempt(startedAt: Date): Promise<void> {
  await api.store.pool.query(
    `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried,
                                    rejected, outcome)
     values ($1, $2, 1, $3, 1, 1, 1, 0, 0, 'healthy')`,
    [newId('bat'), destination.split('/').at(-1), startedAt],
  );
}

function expectDaysAgo(time: unknown, days: number): void {
  expect(Math.abs(Date.parse(String(time)) - daysAgo(days).getTime())).toBeLessThan(CLOCKS_MS);
}

/** Removes what is due, as a worker does. */
async function removeOld(): Promise<void> {
  const retention = { deliveredMs: 7.5 * DAY, undeliveredMs: 30 * DAY, eventsMs: 400 * DAY };
  await new FinishedDays(api.store.db, 30 * DAY, logger, async () => null).run(control);
  await new Pruner(new PruneStore(api.store.db), retention, logger).run(control);
}

describe('GET /retention', () => {
  it('says how long each kind is kept, also where nothing was removed', async () => {
    await api.store.pool.query(`update accounts set created_at = now() - interval '29 days'`);
    expect(await path(api.admin, '/retention')).toEqual({
      events: { kept_days: 400, complete_since: null },
      deliveries: { kept_days: 30, complete_since: null },
      attempts: { kept_days: 7.5, complete_since: null },
      exports: { kept_days: 2.5, complete_since: null },
      metrics: { kept_days: 30, complete_since: null },
      uri: `${api.baseUrl}/retention`,
    });
  });

  it('says since when metrics are complete to an account that is older than they are kept', async () => {
    const { metrics } = await path(api.admin, '/retention');
    expectDaysAgo((metrics as JsonObject).complete_since, 30);
    const range = `from=${daysAgo(40).toISOString()}&step=1d`;
    expectDaysAgo((await path(api.admin, `${destination}/metrics?${range}`)).complete_since, 30);
    await api.store.pool.query(`update accounts set created_at = now() - interval '29 days'`);
    expect(await path(api.admin, `${destination}/metrics?${range}`)).not.toHaveProperty('complete_since');
  });

  it('takes no parameters', async () => {
    const { status, body } = await api.admin.get('/retention?kind=events');
    expect([status, body.error_code]).toEqual([400, 'invalid_input']);
    expect(body.errors).toMatchObject([{ pointer: '?kind' }]);
  });
});

describe('when the retention has removed rows', () => {
  const [goneAt, keptAt] = [daysAgo(401), daysAgo(399)];
  const [deliveryGoneAt, attemptGoneAt] = [daysAgo(31), daysAgo(8)];
  /** The first millisecond that is complete. */
  const after = (time: Date) => new Date(time.getTime() + 1).toISOString();

  beforeEach(async () => {
    await api.store.pool.query('delete from events where created_at < $1', [daysAgo(1)]);
    await api.store.pool.query('delete from finished_deliveries');
    await insertEvent(newId('evt'), goneAt);
    event = newId('evt');
    await insertEvent(event, keptAt);
    await insertDelivery(deliveryGoneAt);
    await insertAttempt(attemptGoneAt);
    await removeOld();
  });

  it('says since when each kind is complete, to the accounts that are older than that', async () => {
    expect(await path(api.admin, '/retention')).toEqual({
      events: { kept_days: 400, complete_since: after(goneAt) },
      deliveries: { kept_days: 30, complete_since: after(deliveryGoneAt) },
      attempts: { kept_days: 7.5, complete_since: after(attemptGoneAt) },
      exports: { kept_days: 2.5, complete_since: null },
      metrics: { kept_days: 30, complete_since: expect.any(String) as string },
      uri: `${api.baseUrl}/retention`,
    });
    const stranger = await api.addAccount();
    expect(await path(stranger, '/retention')).toMatchObject({
      events: { complete_since: null },
      deliveries: { complete_since: null },
      attempts: { complete_since: null },
      exports: { complete_since: null },
      metrics: { complete_since: null },
    });
    expect((await path(stranger, '/events')).complete_since).toBeUndefined();
  });

  it('lists that miss removed items say so, and ranges after that do not', async () => {
    expect(await completeSince('/events')).toBe(after(goneAt));
    expect(await completeSince('/events?order=oldest_first&limit=1')).toBe(after(goneAt));
    expect(await completeSince(`${resource}/events`)).toBe(after(goneAt));
    expect(await completeSince(`/events?from=${after(goneAt)}`)).toBeUndefined();
    expect(await completeSince(`/events?from=${goneAt.toISOString()}`)).toBe(after(goneAt));
    expect(await completeSince(`${destination}/deliveries`)).toBe(after(deliveryGoneAt));
    expect(await completeSince(`${destination}/deliveries?state=pending`)).toBe(after(deliveryGoneAt));
  });

  it('the deliveries of an event say so when the event is older than what was removed', async () => {
    expect(await completeSince(`/events/${event}/deliveries`)).toBe(after(deliveryGoneAt));
    const { status, body } = await api.admin.get(`/events/${event}/proof`);
    expect([status, body.detail]).toEqual([404, expect.stringContaining('removed by the retention')]);
    const { events } = await path(api.admin, `/events?limit=1&from=${daysAgo(1).toISOString()}`);
    const [newest] = events as readonly JsonObject[];
    expect(await path(api.admin, `/events/${String(newest?.id)}/deliveries`)).not.toHaveProperty('complete_since');
  });

  it('a mark stays when older rows are removed later', async () => {
    await insertEvent(newId('evt'), daysAgo(500));
    await removeOld();
    const left = await api.store.pool.query('select from events where created_at < $1', [daysAgo(450)]);
    expect(left.rowCount).toBe(0);
    expect(await completeSince('/events')).toBe(after(goneAt));
  });
});

describe('when the file of an export has expired', () => {
  const finishedAt = daysAgo(3);

  /** Writes an export, and lets its time pass: it was complete at that time. */
  async function expired(at: Date): Promise<void> {
    const { path: of } = await api.admin.create('/exports', { format: 'ndjson' });
    await writeExport(api, of);
    await api.store.pool.query('update exports set finished_at = $2, expires_at = now() where id = $1', [
      of.split('/').at(-1),
      at,
    ]);
    await exportCleanup(api).run(control);
    expect((await path(api.admin, of)).state).toBe('expired');
  }

  it('says since when files are complete, to the accounts that are older than that', async () => {
    await expired(finishedAt);
    await expired(daysAgo(4));
    const since = new Date(finishedAt.getTime() + 1).toISOString();
    expect((await path(api.admin, '/retention')).exports).toEqual({ kept_days: 2.5, complete_since: since });
    const stranger = await api.addAccount();
    expect((await path(stranger, '/retention')).exports).toEqual({ kept_days: 2.5, complete_since: null });
  });
});

describe('an answer that reads deliveries and events', () => {
  const [eventsGoneAt, deliveriesGoneAt] = [daysAgo(100), daysAgo(31)];
  const after = (time: Date) => new Date(time.getTime() + 1).toISOString();

  beforeEach(async () => {
    await insertEvent(newId('evt'), daysAgo(200));
    await api.store.pool.query(
      `insert into retention_marks (kind, complete_since) values ('events', $1), ('deliveries', $2)`,
      [after(eventsGoneAt), after(deliveriesGoneAt)],
    );
  });

  it('is an export of a destination: its manifest has the later of the two times', async () => {
    const exported = async (body: JsonObject) => {
      const { path: of } = await api.admin.create('/exports', { format: 'ndjson', ...body });
      const { rows } = await api.store.pool.query<{ since: Date | null }>(
        'select complete_since as since from exports where id = $1',
        [of.split('/').at(-1)],
      );
      await api.admin.delete(of);
      return rows[0]?.since?.toISOString() ?? null;
    };
    const destinationId = destination.split('/').at(-1);
    expect(await exported({ destination_id: destinationId })).toBe(after(deliveriesGoneAt));
    expect(await exported({})).toBe(after(eventsGoneAt));
    const from = after(deliveriesGoneAt);
    expect(await exported({ destination_id: destinationId, filter: { from } })).toBeNull();
  });

  it('is no backfill: it says what the retention of events has removed, also under an earlier setting', async () => {
    const { id } = await api.admin.create('/event_subscriptions', {
      destination_ids: [destination.split('/').at(-1)],
      sources: [{ type: 'ip_policy_updated.v0' }],
    });
    const since = async (from: Date) => {
      const request = { from: from.toISOString(), dry_run: true };
      const made = await api.admin.create(`${destination}/backfills`, request);
      await api.admin.post(`${made.path}/cancel`, undefined);
      return made.complete_since;
    };
    // The setting keeps 400 days; events of 100 days ago were removed before it was raised.
    expect(await since(daysAgo(300))).toBe(after(eventsGoneAt));
    expect(await since(daysAgo(50))).toBeNull();
    await api.store.pool.query('delete from retention_marks');
    expect(await since(daysAgo(300))).toBeNull();
    expectDaysAgo(await since(daysAgo(900)), 400 - 1 / 24);
    await api.store.pool.query('update accounts set created_at = now()');
    expect(await since(daysAgo(900))).toBeNull();
    await api.admin.delete(`/event_subscriptions/${id}`);
  });
});
