import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '@waybill/sandbox';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { describe, expect, inject, it, vi } from 'vitest';
import type { Store } from '../../../src/database/store.js';
import { targetKinds, type TargetKind } from '../../../src/targets/target.js';
import { TestClient, type TestResponse } from '../../support/api-client.js';
import { createTestStore } from '../../support/database.js';
import { setEnvironment } from '../../support/environment.js';
import { startOtlpReceiver } from '../../support/otlp-receiver.js';
import { onPostgres, runsOnRedis, type TestBackend } from '../../support/redis.js';
import { startTestService } from '../../support/test-service.js';

/** Returns a secret that no other text contains. */
function planted(form: 'hex' | 'text' = 'text'): string {
  const random = randomBytes(16).toString('hex');
  return form === 'hex' ? random : `planted-${random}`;
}

/** Returns the forms of a secret: as text, as a column of bytes, and at the beginning of a text in base64. */
function written(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')];
}

const creds = (secret: string) => ({
  creds: { cloud_access_key_id: 'AKIAPLANTED000000001', cloud_secret_access_key: secret },
});
const targetWith: Readonly<Record<TargetKind, (secret: string) => Record<string, unknown>>> = {
  delivery_stream: (secret) => ({
    auth: creds(secret),
    delivery_stream_arn: 'arn:aws:firehose:us-east-1:123456789012:deliverystream/audit',
  }),
  data_stream: (secret) => ({
    auth: creds(secret),
    stream_arn: 'arn:aws:kinesis:us-east-1:123456789012:stream/audit',
  }),
  log_group: (secret) => ({
    auth: creds(secret),
    log_group_arn: 'arn:aws:logs:us-east-1:123456789012:log-group:/audit',
  }),
  monitoring: (secret) => ({ api_key: secret, site: 'datadoghq.com', service: 'audit' }),
  log_ingestion: (secret) => ({
    tenant_id: '11111111-2222-4333-8444-555555555555',
    client_id: '66666666-7777-4888-8999-aaaaaaaaaaaa',
    client_secret: secret,
    logs_ingestion_uri: 'https://audit-x1y2.westeurope-1.ingest.monitor.azure.com',
    data_collection_rule_id: 'dcr-0123456789abcdef0123456789abcdef',
    data_collection_stream_name: 'Custom-Audit_CL',
  }),
};

/** Returns every row of every table as text, including the tables of the queues. */
async function everyRow(store: Store): Promise<string> {
  const tables = await store.pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const rows = await store.pool.query<{ line: string }>(`select t::text as line from ${name} t`);
    texts.push(...rows.rows.map(({ line }) => line));
  }
  return texts.join('\n');
}

/** Returns the keys under a prefix of the queue store, with their values. Read by type: a dump is compressed. */
async function everyKey(url: string, prefix: string): Promise<string> {
  const redis = new Redis(url);
  const read = async (key: string): Promise<unknown> => {
    switch (await redis.type(key)) {
      case 'hash':
        return redis.hgetall(key);
      case 'list':
        return redis.lrange(key, 0, -1);
      case 'set':
        return redis.smembers(key);
      case 'zset':
        return redis.zrange(key, '0', '-1');
      case 'stream':
        return redis.xrange(key, '-', '+');
      default:
        return redis.get(key);
    }
  };
  const keys = await redis.keys(`${prefix}*`);
  const values = await Promise.all(keys.map(read));
  await redis.quit();
  expect(JSON.stringify(values)).toContain('ip_policy_created.v0');
  return [...keys, ...values.map((value) => JSON.stringify(value))].join('\n');
}

/** The jobs are the same in both stores: in Redis, if there is one. */
const backend: TestBackend = runsOnRedis() ? { name: 'redis', redisUrl: inject('redisUrl') ?? undefined } : onPostgres;

describe(`the whole service (${backend.name})`, () => {
  it('shows no secret in responses, events, jobs, logs, errors, metrics, traces or tables', async () => {
    const prefix = `secrecy_${randomBytes(4).toString('hex')}`;
    const token = planted('hex');
    const secrets: string[] = [token];
    const plant = (form?: 'hex' | 'text') => {
      const secret = planted(form);
      secrets.push(secret);
      return secret;
    };
    let log = '';
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk.toString();
        done();
      },
    });
    const sandbox = await startSandbox();
    const collector = await startOtlpReceiver();
    const metricsToken = plant();
    const collectorKey = planted();
    const store = await createTestStore();
    const settings = {
      ...sandbox.environment,
      REDIS_URL: backend.redisUrl,
      QUEUE_PREFIX: prefix,
      BOOTSTRAP_API_KEY: token,
      METRICS_TOKEN: metricsToken,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorKey}`,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      RATE_LIMIT_PER_MINUTE: '0',
      DELIVERY_BACKOFF_BASE_MS: '50',
      DELIVERY_BACKOFF_CAP_MS: '100',
      DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: '50',
      DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: '100',
    };
    setEnvironment(sandbox.environment);
    const logger = pino({ level: 'trace' }, sink);
    const service = await startTestService(store.connectionString, settings, logger);
    try {
      const client = new TestClient(service.url, token);
      const responses: TestResponse[] = [];
      const keep = async (response: Promise<TestResponse>) => {
        responses.push(await response);
        return responses.at(-1);
      };

      const destinationIds: string[] = [];
      for (const kind of targetKinds) {
        const secret = plant(kind === 'monitoring' ? 'hex' : 'text');
        const made = await client.create('/event_destinations', {
          target: { [kind]: targetWith[kind](secret) },
        });
        destinationIds.push(made.id);
        await keep(client.get(made.path));
        // Refused input holds secrets too: the error must name the field and not the value.
        await keep(
          client.post('/event_destinations', {
            target: { [kind]: { ...targetWith[kind](plant()), wrong: plant() } },
          }),
        );
        await keep(
          client.patch(made.path, {
            target: { [kind]: targetWith[kind](plant(kind === 'monitoring' ? 'hex' : 'text')) },
          }),
        );
      }
      await keep(
        client.post('/event_subscriptions', {
          sources: [
            { type: 'ip_policy_created.v0' },
            { type: 'event_destination_updated.v0' },
            { type: 'api_key_created.v0' },
          ],
          destination_ids: destinationIds,
        }),
      );

      // The token of a key is in the first response to its creation alone.
      const key = await client.post('/api_keys', {}, { 'idempotency-key': 'once' });
      const again = await client.post('/api_keys', {}, { 'idempotency-key': 'once' });
      expect([again.body.id, again.body.token]).toEqual([key.body.id, null]);
      secrets.push(String(key.body.token));
      await keep(new TestClient(service.url, `${String(key.body.token)}x`).get('/ip_policies'));

      // Each failure of a target writes its own log line and status.
      for (const kind of ['deny', 'unavailable', 'throttle', 'partial', 'expired', 'reset', 'too_large'] as const) {
        sandbox.script({ kind, times: 3, ratio: 0.5 });
        await keep(client.post('/ip_policies', { description: kind }));
        await sleep(150);
      }
      for (const target of ['sts', 'entra'] as const) sandbox.script({ target, kind: 'deny', times: 1 });
      for (const id of destinationIds) await keep(client.patch(`/event_destinations/${id}`, { description: 'last' }));
      await expect
        .poll(() =>
          targetKinds.every((kind) => sandbox.received({ target: kind }).some(({ body }) => body.includes('"last"'))),
        )
        .toBe(true);

      for (const path of ['/event_destinations', '/api_keys', '/events', '/openapi.json']) await keep(client.get(path));
      const metrics = await fetch(`${service.url}/metrics`, {
        headers: { authorization: `Bearer ${metricsToken}` },
      });
      const places: Record<string, string> = {
        metrics: await metrics.text(),
        traces: JSON.stringify(collector.spans()),
        responses: responses.map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n'),
        events: sandbox
          .received()
          .map(({ body, attributes = '' }) => body + attributes)
          .join('\n'),
        tables: await everyRow(store),
        logs: log,
        ...(backend.redisUrl !== undefined && { queues: await everyKey(backend.redisUrl, prefix) }),
      };
      expect(log).toContain('misconfigured');
      expect(places.metrics).toContain('waybill_deliveries_total{');
      expect(places.traces).toContain('deliver monitoring');
      expect(collector.text()).toContain(collectorKey);
      secrets.push(collectorKey);
      for (const [place, text] of Object.entries(places)) {
        expect(text.length, place).toBeGreaterThan(100);
        expect(
          secrets.filter((secret) => written(secret).some((form) => text.includes(form))),
          place,
        ).toEqual([]);
      }
    } finally {
      await service.stop();
      vi.unstubAllEnvs();
      await sandbox.close();
      await collector.close();
      await store.close();
    }
  });
});
