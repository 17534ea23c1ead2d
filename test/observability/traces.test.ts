import { Writable } from 'node:stream';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Store } from '../../src/database/store.js';
import type { Service } from '../../src/service.js';
import { until } from '../../tools/harness/until.js';
import { TestClient } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';

/** The numbers of span kinds in OTLP. */
const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const FAILED = 2;

const logLine = z.looseObject({ msg: z.string(), trace_id: z.string().optional() });

interface Traced {
  readonly service: Service;
  readonly client: TestClient;
  /** Returns the log lines with this message. */
  readonly lines: (message: string) => readonly z.infer<typeof logLine>[];
}

let sandbox: Sandbox;
let store: Store;
let receiver: OtlpReceiver;
let destinationId: string;
const running: Service[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
  store = await createTestStore();
  const { client } = await start({});
  const destination = await client.create('/event_destinations', {
    target: { monitoring: { api_key: 'x'.repeat(32), site: 'datadoghq.eu' } },
  });
  destinationId = destination.id;
  await client.create('/event_subscriptions', {
    sources: [{ type: 'ip_policy_created.v0' }],
    destination_ids: [destinationId],
  });
  await stopAll();
});
afterEach(async () => {
  await stopAll();
  await receiver.close();
});
afterAll(async () => {
  await store.close();
  await sandbox.close();
});

async function start(settings: Readonly<Record<string, string>>): Promise<Traced> {
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  const all = {
    ...sandbox.environment,
    RATE_LIMIT_PER_MINUTE: '0',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'waybill-under-test',
    ...settings,
  };
  const service = await startTestService(store.connectionString, all, pino({ level: 'info' }, sink));
  running.push(service);
  return {
    service,
    client: new TestClient(service.url, ADMIN_KEY),
    lines: (message) =>
      log
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => logLine.parse(JSON.parse(line)))
        .filter(({ msg }) => msg === message),
  };
}

async function stopAll(): Promise<void> {
  for (const service of running.splice(0)) await service.stop();
}

function named(name: string): readonly ReceivedSpan[] {
  return receiver.spans().filter((span) => span.name === name);
}

async function arrived(count: number): Promise<void> {
  await until(() => named('deliver monitoring').length === count, `${count} attempts were traced`);
}

// The first call to a target loads the vendor's client, which is slow on a busy machine.
describe('with an OTLP endpoint', () => {
  it('shows a change as one trace, from the client’s span to the call to the vendor', async () => {
    receiver = await startOtlpReceiver();
    const { client, lines } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of%20the%20collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const traceId = 'a'.repeat(32);
    const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`;
    const made = await client.post('/ip_policies', { description: 'traced' }, { traceparent });
    await arrived(1);
    await stopAll();

    const [request, transaction, create, deliver, send] = [
      'POST /ip_policies',
      'transaction',
      'create ip_policy_created.v0',
      'deliver monitoring',
      'send monitoring',
    ].map((name) => {
      const [span, ...others] = named(name);
      expect(others, name).toEqual([]);
      return span;
    });
    expect(receiver.spans().filter((span) => span.traceId !== traceId)).toEqual([]);
    expect(request).toMatchObject({
      kind: kinds.server,
      parentSpanId: 'b'.repeat(16),
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/ip_policies',
        'http.response.status_code': 201,
        'waybill.operation.id': made.headers.get('operation-id'),
      },
      resource: {
        'service.name': 'waybill-under-test',
        'deployment.environment.name': 'test',
      },
    });
    expect(transaction).toMatchObject({ kind: kinds.internal, parentSpanId: request?.spanId });
    expect(create).toMatchObject({ kind: kinds.producer, parentSpanId: request?.spanId });
    expect(deliver).toMatchObject({
      kind: kinds.consumer,
      parentSpanId: create?.spanId,
      links: [{ traceId, spanId: create?.spanId }],
      attributes: { 'messaging.destination.name': destinationId, 'messaging.batch.message_count': 1 },
    });
    expect(send).toMatchObject({ kind: kinds.client, parentSpanId: deliver?.spanId });
    expect(receiver.text()).toContain('of the collector');
    // The trace id is in the log lines and not in the delivered events.
    expect(sandbox.received().at(-1)?.body).not.toContain(traceId);
    expect(lines('batch attempt').map(({ trace_id }) => trace_id)).toEqual([traceId]);
    expect(lines('request').map(({ trace_id }) => trace_id)).toEqual([traceId]);
  });

  it('links a batch to the trace of every change in it', async () => {
    receiver = await startOtlpReceiver();
    const { client } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const destination = `/event_destinations/${destinationId}`;
    // The events wait for each other.
    await client.patch(destination, { paused: { reason: 'until there are four events' } });
    sandbox.script({ target: 'monitoring', kind: 'unavailable', times: 1 });
    await Promise.all([1, 2, 3, 4].map((n) => client.create('/ip_policies', { description: `waits ${n}` })));
    await client.patch(destination, { paused: null });
    await arrived(2);
    expect(named('deliver monitoring').map(({ links }) => links.length)).toEqual([4, 4]);
    await until(() => named('send monitoring').length === 2, 'both calls were traced');
    expect(named('send monitoring')[0]).toMatchObject({
      status: { code: FAILED },
      attributes: { 'error.type': 'http_503', 'http.response.status_code': 503 },
    });

    const created = new Map(named('create ip_policy_created.v0').map((span) => [span.spanId, span.traceId]));
    expect(new Set(created.values()).size).toBe(4);
    for (const batch of named('deliver monitoring')) {
      expect(new Map(batch.links.map(({ spanId, traceId }) => [spanId, traceId]))).toEqual(created);
      expect(batch.parentSpanId).toBe('');
      expect([...created.values()]).not.toContain(batch.traceId);
    }
  });

  it('ignores an invalid traceparent', async () => {
    receiver = await startOtlpReceiver();
    const { client } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    for (const traceparent of ['', 'x', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, `ff-${'a'.repeat(60)}`]) {
      const response = await client.get('/ip_policies', { traceparent });
      expect(response.status).toBe(200);
    }
    await stopAll();
    expect(named('GET /ip_policies').map(({ parentSpanId }) => parentSpanId)).toEqual(['', '', '', '']);
  });

  it.each([
    ['refuses', 400],
    ['is overloaded', 503],
    ['never responds', null],
  ])('delivers and stops when the collector %s', async (_, status) => {
    receiver = await startOtlpReceiver();
    receiver.respondWith(status);
    const { client, service, lines } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const before = sandbox.received().length;
    for (let n = 0; n < 5; n += 1) await client.create('/ip_policies', { description: `untraced ${n}` });
    await until(() => sandbox.received().length >= before + 5, 'all events have arrived');
    await until(() => receiver.requests() > 0, 'the collector was asked');
    running.length = 0;
    await service.stop();
    expect(receiver.spans()).toEqual([]);
    expect(lines('traces could not be exported and were dropped').length).toBeLessThanOrEqual(1);
  });

  it('sends the last spans when a process ends without a stop', async () => {
    receiver = await startOtlpReceiver();
    const { client, service } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    await client.get('/ip_policies');
    await service.flushTraces();
    expect(named('GET /ip_policies')).toHaveLength(1);
    await stopAll();
  });

  it('logs once that traces are lost', async () => {
    receiver = await startOtlpReceiver();
    receiver.respondWith(400);
    const { client, lines } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    for (const count of [1, 2, 3]) {
      await client.get('/ip_policies');
      await until(() => receiver.requests() >= count, `the collector was asked ${count} times`);
    }
    await stopAll();
    const said = lines('traces could not be exported and were dropped');
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({ level: 40, spans: 1, url: receiver.url });
  });

  it('leaves the traces to an OpenTelemetry SDK that was registered before', async () => {
    receiver = await startOtlpReceiver();
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    onTestFinished(() => trace.disable());
    const { client, lines } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await client.create('/ip_policies', { description: 'traced by another SDK' });
    const names = () => exporter.getFinishedSpans().map(({ name }) => name);
    await expect.poll(names).toEqual(expect.arrayContaining(['POST /ip_policies', 'deliver monitoring']));
    await stopAll();
    expect(receiver.requests()).toBe(0);
    expect(
      lines('another OpenTelemetry SDK is registered: its settings apply, the OTEL_* settings do not'),
    ).toHaveLength(1);
  });

  it('does not record traces that the sampler drops', async () => {
    receiver = await startOtlpReceiver();
    const { client, lines } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    });
    await client.create('/ip_policies', { description: 'not sampled' });
    const sampled = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`;
    await client.post('/ip_policies', { description: 'sampled by the client' }, { traceparent: sampled });
    await until(() => named('deliver monitoring').length === 1, 'the other was traced');
    await until(() => lines('batch attempt').length === 2, 'both were delivered');
    await stopAll();
    expect(new Set(receiver.spans().map(({ traceId }) => traceId))).toEqual(new Set(['c'.repeat(32)]));
  });
});
