import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { InstallationStateStore } from '../../src/observability/installation-state-store.js';
import { createInstruments } from '../../src/observability/instruments.js';
import type { Service } from '../../src/service.js';
import { until } from '../../tools/harness/until.js';
import { TestClient } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';

const TOKEN = 'a-token-for-the-metrics-0123456789';

let sandbox: Sandbox;
let store: Store;
let service: Service;
let client: TestClient;

beforeAll(async () => {
  sandbox = await startSandbox();
  store = await createTestStore();
  service = await start({ METRICS_TOKEN: TOKEN });
  client = new TestClient(service.url, ADMIN_KEY);
});
afterAll(async () => {
  await service.stop();
  await store.close();
  await sandbox.close();
});

function start(settings: Readonly<Record<string, string>>): Promise<Service> {
  return startTestService(store.connectionString, { ...sandbox.environment, ...settings });
}

async function scrape(from: Service = service): Promise<string> {
  const response = await fetch(`${from.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return response.text();
}

/** The values of a metric, by its labels as they are written. */
function samples(text: string, name: string): Readonly<Record<string, number>> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value] = /^[^{ ]+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return [labels, Number(value)];
    }),
  );
}

/** Returns the samples that are not 0. */
function counted(all: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0));
}

it('counts a change on its way from the request to the target, under labels that name nobody', async () => {
  const destination = await client.create('/event_destinations', {
    target: { monitoring: { api_key: 'x'.repeat(32), site: 'datadoghq.eu' } },
  });
  await client.create('/event_subscriptions', {
    sources: [{ type: 'ip_policy_created.v0' }],
    destination_ids: [destination.id],
  });
  const policy = await client.create('/ip_policies', { description: 'measured' });
  await client.get('/nothing/here');
  await until(() => sandbox.received().length === 1, 'the event has arrived');
  const delivered = `/event_destinations/${destination.id}/deliveries?state=delivered`;
  await until(async () => (await client.get(delivered)).text.includes('evt_'), 'its delivery is recorded');

  const text = await scrape();
  const target = 'target="monitoring"';
  expect(counted(samples(text, 'waybill_deliveries_total'))).toEqual({ [`${target},outcome="delivered"`]: 1 });
  expect(samples(text, 'waybill_attempts_total')).toEqual({ [`${target},outcome="healthy"`]: 1 });
  expect(samples(text, 'waybill_attempts_in_flight')).toEqual({ [target]: 0 });
  expect(samples(text, 'waybill_delivery_latency_seconds_count')).toEqual({ [target]: 1 });
  expect(samples(text, 'waybill_send_duration_seconds_count')).toEqual({ [target]: 1 });
  expect(samples(text, 'waybill_batch_records_sum')).toEqual({ [target]: 1 });
  expect(samples(text, 'waybill_claimed_deliveries_total')).toEqual({ [target]: 1 });
  expect(samples(text, 'waybill_lanes')).toMatchObject({
    [`${target},status="healthy",muted="false"`]: 1,
    [`${target},status="healthy",muted="true"`]: 0,
    [`${target},status="misconfigured",muted="false"`]: 0,
    [`${target},status="paused",muted="false"`]: 0,
  });
  expect(samples(text, 'waybill_pending_deliveries')[`${target},status="healthy",muted="false"`]).toBe(0);
  expect(samples(text, 'waybill_jobs')['queue="monitoring",state="waiting"']).toBe(0);
  expect(samples(text, 'waybill_store_up')).toEqual({ 'store="database"': 1, 'store="queues"': 1 });
  expect(samples(text, 'waybill_worker_alive')).toEqual({ '': 1 });
  expect(samples(text, 'waybill_http_requests_total')).toMatchObject({
    'method="POST",route="/ip_policies",status="201"': 1,
    'method="GET",route="none",status="404"': 1,
  });
  expect(Object.keys(samples(text, 'nodejs_eventloop_lag_p99_seconds'))).toHaveLength(1);
  expect(Object.keys(samples(text, 'process_resident_memory_bytes'))).toHaveLength(1);

  const account = await store.db.selectFrom('accounts').select(['id', 'name']).executeTakeFirstOrThrow();
  for (const name of [destination.id, policy.id, account.id, `"${account.name}"`, '/nothing/here'])
    expect(text).not.toContain(name);
});

it('counts published events by their result', async () => {
  await client.create('/resource_types', { name: 'order' });
  const event = (id: string, more: object = {}) => ({
    id,
    type: 'order_created.v0',
    resource_id: id,
    object: {},
    ...more,
  });
  expect((await client.post('/events', { events: [event('1'), event('2')] })).status).toBe(202);
  expect((await client.post('/events', { events: [event('2'), event('3')] })).status).toBe(202);
  expect((await client.post('/events', { events: [event('4'), event('5', { type: 'none.v0' })] })).status).toBe(400);
  expect(samples(await scrape(), 'waybill_published_events_total')).toEqual({
    'result="accepted"': 3,
    'result="duplicate"': 1,
    'result="refused"': 2,
  });
});

it('counts filters that cannot be evaluated, by what is done with the event', async () => {
  const target = () => {
    const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
    return { data_stream: { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/f' } };
  };
  const filter = 'dyn(object).nothing == 1';
  const subscribe = async (source: object) => {
    const destination = await client.create('/event_destinations', { target: target() });
    await client.create('/event_subscriptions', { sources: [source], destination_ids: [destination.id] });
    return destination;
  };
  await client.create('/resource_types', { name: 'invoice' });
  await subscribe({ type: 'bot_user_created.v0', filter });
  await subscribe({ type: 'invoice_created.v0', filter });
  await client.create('/bot_users', { name: 'measured' });
  const events = ['1', '2'].map((id) => ({ type: 'invoice_created.v0', resource_id: id, object: {} }));
  expect((await client.post('/events', { events })).status).toBe(202);
  const later = await subscribe({ type: 'invoice_created.v0' });
  const backfill = { from: '2020-01-01T00:00:00Z', filter };
  const { path } = await client.create(`${later.path}/backfills`, backfill);
  await until(async () => (await client.get(path)).body.state === 'finished', 'the backfill is finished');
  expect(counted(samples(await scrape(), 'waybill_unevaluated_filters_total'))).toEqual({
    'result="sent",reason="failed"': 3,
    'result="backfilled",reason="failed"': 2,
  });
});

it('shows the epoch, a closed fence, and fan-outs that wait', async () => {
  const measured = new InstallationStateStore(store.db);
  const { rows } = await store.pool.query('select epoch from installation');
  const text = await scrape();
  expect(samples(text, 'waybill_epoch')).toEqual({ '': rows[0].epoch });
  expect(samples(text, 'waybill_claims_fenced')).toEqual({ '': 0 });
  expect(samples(text, 'waybill_waiting_fan_out_parts')).toEqual({ '': 0 });
  expect(samples(text, 'waybill_oldest_fan_out_seconds')).toEqual({ '': 0 });
  expect(samples(text, 'waybill_oldest_unsigned_seconds')['']).toBeLessThan(600);
  expect(samples(text, 'waybill_unsigned_logs')).toHaveProperty('');

  // Rolled back: the worker of the service would create the deliveries, and check the fence.
  await store.db
    .transaction()
    .execute(async (trx) => {
      const seeded = `
        with event as (
          insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
          select 'evt_waiting', id, 'ip_policy_created.v0', 'ipp_1', '{}', now(), '' from accounts limit 1
          returning id, account_id
        )
        insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
        select id, account_id, 'ipp_1', '{}', now() - part * interval '1 minute' from event, generate_series(12000, 1, -1) part`;
      await sql.raw(seeded).execute(trx);
      await sql`update installation set server_started_at = '2020-01-01'`.execute(trx);
      expect(await new InstallationStateStore(trx).read()).toEqual({
        epoch: rows[0].epoch,
        fenced: true,
        waitingParts: 10_000,
        oldestPartSeconds: 720_000,
      });
      throw new Error('rolled back');
    })
    .catch((error: unknown) => expect(error).toEqual(new Error('rolled back')));
  expect(await measured.read()).toMatchObject({ fenced: false, waitingParts: 0 });
});

it('shows nothing without the token, and nobody’s API key in its place', async () => {
  for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, `Bearer ${ADMIN_KEY}`]) {
    const response = await fetch(`${service.url}/metrics`, { headers: { authorization } });
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.text()).not.toContain('waybill_');
  }
});

it('serves a worker that stands alone, and nothing at all without METRICS_TOKEN', async () => {
  const worker = await start({ ROLES: 'worker', METRICS_TOKEN: TOKEN });
  const silent = await start({ ROLES: 'worker' });
  try {
    const text = await scrape(worker);
    expect(samples(text, 'waybill_worker_alive')).toEqual({ '': 1 });
    expect(samples(text, 'waybill_lanes')).toMatchObject({ 'target="monitoring",status="healthy",muted="false"': 1 });
    const response = await fetch(`${silent.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(response.status).toBe(404);
  } finally {
    await worker.stop();
    await silent.stop();
  }
});

it('shows a Redis that is away; only a process without the role api is not ready then', async () => {
  const settings = { REDIS_URL: 'redis://127.0.0.1:1', METRICS_TOKEN: TOKEN };
  const processes = await Promise.all(['api', 'api,worker', 'worker'].map((ROLES) => start({ ...settings, ROLES })));
  try {
    // Each waits for Redis until its time is up.
    const [ready, scraped] = await Promise.all([
      Promise.all(processes.map(({ url }) => fetch(`${url}/readyz`))),
      Promise.all(processes.map((one) => scrape(one))),
    ]);
    expect(ready.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(await ready[2]?.text()).toContain('queues');
    for (const text of scraped) expect(samples(text, 'waybill_store_up')['store="queues"']).toBe(0);
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
  }
});

it('names its metrics as Prometheus asks: a prefix, base units, `_total` where it only grows', async () => {
  const metrics = await createInstruments().registry.getMetricsAsJSON();
  expect(metrics.length).toBeGreaterThan(10);
  for (const { name, type } of metrics) {
    expect(name).toMatch(/^waybill_[a-z]+(_[a-z]+)*$/);
    expect(name.endsWith('_total'), name).toBe(String(type) === 'counter');
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kilobytes)/);
  }
});
