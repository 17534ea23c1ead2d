import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CertificateJobs } from '../../../src/certificates/certificate-jobs.js';
import { DataPlane } from '../../../src/data-plane/data-plane.js';
import { STORE, type Store } from '../../../src/database/store.js';
import { QUEUES } from '../../../src/delivery/queues/queues.js';
import { OPEN_KEY_RING } from '../../../src/secrets/open-key-ring.js';
import type { Sandbox } from '../../../tools/sandbox/sandbox-contract.js';
import { startSandbox } from '../../../tools/sandbox/start-sandbox.js';
import { until } from '../../delivery/support/pipeline.js';
import { TestClient } from '../../support/api-client.js';
import { createTestStore } from '../../support/database.js';
import { ADMIN_KEY, startTestService } from '../../support/test-service.js';

const DEADLINE_MS = 4_000;

let sandbox: Sandbox;
let store: Store;
beforeAll(async () => {
  sandbox = await startSandbox();
  store = await createTestStore();
});
afterAll(async () => {
  await store.close();
  await sandbox.close();
});

it('spends its deadline once, although a client does not finish its request and a target does not answer', async () => {
  const service = await startTestService(store.connectionString, {
    ...sandbox.environment,
    SHUTDOWN_DEADLINE_MS: String(DEADLINE_MS),
  });
  const client = new TestClient(service.url, ADMIN_KEY);
  const destination = await client.create('/event_destinations', {
    target: { monitoring: { api_key: 'x'.repeat(32), site: 'datadoghq.eu' } },
  });
  await client.create('/event_subscriptions', {
    sources: [{ type: 'ip_policy_created.v0' }],
    destination_ids: [destination.id],
  });
  sandbox.script({ target: 'monitoring', kind: 'timeout' });
  await client.create('/ip_policies', { description: 'nobody answers for this' });
  await until(
    () => sandbox.calls().some(({ target, status }) => target === 'monitoring' && status === 0),
    'the target was called',
  );

  const { port } = new URL(service.url);
  const unfinished = connect(Number(port), '127.0.0.1').on('error', () => {});
  const lines = [
    'POST /ip_policies HTTP/1.1',
    'Host: waybill',
    `Authorization: Bearer ${ADMIN_KEY}`,
    'Service-Version: 2',
    'Content-Type: application/json',
    'Content-Length: 100',
  ];
  unfinished.write([...lines, '', '{'].join('\r\n'));
  await until(() => unfinished.bytesWritten > 0, 'the request has begun');

  const begun = performance.now();
  await service.stop();
  expect(performance.now() - begun).toBeLessThan(DEADLINE_MS + 1_500);
  const { rows } = await store.pool.query('select outcome, code from delivery_attempts');
  expect(rows).toEqual([{ outcome: 'interrupted', code: 'interrupted' }]);
});

it('closes what requests and workers use after them: dispatch, queues, key ring, database', async () => {
  const service = await startTestService(store.connectionString, {
    DATA_PLANE_KEY: 'data_plane_key_0123456789abcdef',
    DATA_PLANE_PORT: '0',
  });
  const { app } = service;
  const log: string[] = [];
  const record = <Name extends string>(part: Record<Name, () => Promise<void>>, method: Name, name: string) => {
    const original = part[method].bind(part);
    part[method] = async () => {
      log.push(`${name} closes`);
      await original();
      log.push(`${name} closed`);
    };
  };
  record(app.getHttpAdapter(), 'close', 'requests');
  record(app.get(DataPlane), 'stop', 'data plane');
  record(app.get(CertificateJobs), 'idle', 'dispatch');
  record(app.get<{ close(): Promise<void> }>(QUEUES), 'close', 'queues');
  record(app.get<{ close(): Promise<void> }>(OPEN_KEY_RING), 'close', 'keys');
  record(app.get<{ close(): Promise<void> }>(STORE), 'close', 'database');
  await service.stop();
  expect(log.slice(0, 2).toSorted()).toEqual(['data plane closes', 'requests closes']);
  expect(log.slice(2, 4).toSorted()).toEqual(['data plane closed', 'requests closed']);
  expect(log.slice(4)).toEqual(
    ['dispatch', 'queues', 'keys', 'database'].flatMap((part) => [`${part} closes`, `${part} closed`]),
  );
});
