import { once } from 'node:events';
import { connect } from 'node:net';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataPlane } from '../../../src/data-plane/data-plane.js';
import { STORE, type Store } from '../../../src/database/store.js';
import { Dispatcher } from '../../../src/delivery/dispatch/dispatcher.js';
import { QUEUES } from '../../../src/delivery/queues/queues.js';
import { newId } from '../../../src/ids/id.js';
import { OpenKeyRing } from '../../../src/secrets/open-key-ring.js';
import { until } from '../../../tools/harness/until.js';
import { TestClient } from '../../support/api-client.js';
import { createTestStore } from '../../support/database.js';
import { ADMIN_KEY, startTestService } from '../../support/test-service.js';

const DEADLINE_MS = 4_000;
const DATA_PLANE_KEY = 'data_plane_key_0123456789abcdef';

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

/** Sends the beginning of a request, and waits until the server has begun to read its body. */
async function sendUnfinished(url: string, request: string, key: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  const lines = [
    `${request} HTTP/1.1`,
    'Host: waybill',
    `Authorization: Bearer ${key}`,
    'Service-Version: 2',
    'Content-Type: application/json',
    'Content-Length: 100',
    'Expect: 100-continue',
  ];
  socket.write([...lines, '', '{'].join('\r\n'));
  const [head]: unknown[] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 100 /);
}

it('stops within one deadline when clients do not finish their requests and a target does not respond', async () => {
  const service = await startTestService(store.connectionString, {
    ...sandbox.environment,
    SHUTDOWN_DEADLINE_MS: String(DEADLINE_MS),
    DATA_PLANE_KEY,
    DATA_PLANE_PORT: '0',
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
  await client.create('/ip_policies', { description: 'not delivered' });
  await until(
    () => sandbox.calls().some(({ target, status }) => target === 'monitoring' && status === 0),
    'the target was called',
  );

  await sendUnfinished(service.url, 'POST /ip_policies', ADMIN_KEY);
  await sendUnfinished(service.dataPlaneUrl ?? '', `PUT /sessions/${newId('ts')}`, DATA_PLANE_KEY);

  const begun = performance.now();
  await service.stop();
  expect(performance.now() - begun).toBeLessThan(2 * DEADLINE_MS);
  const { rows } = await store.pool.query('select outcome, code from delivery_attempts');
  expect(rows).toEqual([{ outcome: 'interrupted', code: 'interrupted' }]);
});

it('closes dispatch, queues, key ring and database after the requests and workers that use them', async () => {
  const service = await startTestService(store.connectionString, {
    DATA_PLANE_KEY,
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
  record(app.get(Dispatcher), 'idle', 'dispatch');
  record(app.get<{ close(): Promise<void> }>(QUEUES), 'close', 'queues');
  record(app.get(OpenKeyRing), 'close', 'keys');
  record(app.get<{ close(): Promise<void> }>(STORE), 'close', 'database');
  await service.stop();
  expect(log.slice(0, 2).toSorted()).toEqual(['data plane closes', 'requests closes']);
  expect(log.slice(2, 4).toSorted()).toEqual(['data plane closed', 'requests closed']);
  expect(log.slice(4)).toEqual(
    ['dispatch', 'queues', 'keys', 'database'].flatMap((part) => [`${part} closes`, `${part} closed`]),
  );
});

it('takes requests while it drains, and reports at /readyz that it stops', async () => {
  const service = await startTestService(store.connectionString, { SHUTDOWN_DRAIN_MS: '1500' });
  const client = new TestClient(service.url, ADMIN_KEY);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const stopped = service.stop();
  const ready = await fetch(`${service.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('The service is stopping.')]);
  await client.create('/ip_policies', { description: 'created while the process drains' });
  await stopped;
  await expect(fetch(`${service.url}/readyz`)).rejects.toThrow('fetch failed');
});
