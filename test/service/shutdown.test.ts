import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../src/config/config.js';
import type { Store } from '../../src/database/store.js';
import { createLogger } from '../../src/logging/logger.js';
import { startService } from '../../src/service.js';
import type { Sandbox } from '../../tools/sandbox/sandbox-contract.js';
import { startSandbox } from '../../tools/sandbox/start-sandbox.js';
import { until } from '../delivery/support/pipeline.js';
import { createTestStore } from '../support/database.js';

const key = 'a-key-of-the-first-admin-for-this-test';
const deadlineMs = 4_000;

let sandbox: Sandbox;
let store: Store;
beforeAll(async () => {
  sandbox = await startSandbox();
  Object.assign(process.env, sandbox.environment);
  store = await createTestStore();
});
afterAll(async () => {
  await store.close();
  await sandbox.close();
});

it('spends its deadline once, although a client does not finish its request and a target does not answer', async () => {
  const config = readConfig({
    ...sandbox.environment,
    DATABASE_URL: store.connectionString,
    SECRETS_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    BOOTSTRAP_API_KEY: key,
    HOST: '127.0.0.1',
    PORT: '0',
    SHUTDOWN_DEADLINE_MS: String(deadlineMs),
  });
  const service = await startService(config, createLogger('fatal'), () => {});
  const headers = {
    Authorization: `Bearer ${key}`,
    'Service-Version': '2',
    'Content-Type': 'application/json',
  };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return z.object({ id: z.string() }).parse(await answer.json());
  };
  const destination = await post('/event_destinations', {
    target: { monitoring: { api_key: 'x'.repeat(32), site: 'datadoghq.eu' } },
  });
  await post('/event_subscriptions', {
    sources: [{ type: 'ip_policy_created.v0' }],
    destination_ids: [destination.id],
  });
  sandbox.script({ target: 'monitoring', kind: 'timeout' });
  await post('/ip_policies', { description: 'nobody answers for this' });
  await until(
    () => sandbox.calls().some(({ target, status }) => target === 'monitoring' && status === 0),
    'the target was called',
  );

  const { port } = new URL(service.url);
  const unfinished = connect(Number(port), '127.0.0.1').on('error', () => {});
  const lines = Object.entries({ Host: 'waybill', ...headers, 'Content-Length': 100 });
  unfinished.write(
    ['POST /ip_policies HTTP/1.1', ...lines.map((line) => line.join(': ')), '', '{'].join('\r\n'),
  );
  await until(() => unfinished.bytesWritten > 0, 'the request has begun');

  const begun = performance.now();
  await service.stop();
  expect(performance.now() - begun).toBeLessThan(deadlineMs + 1_500);
  const { rows } = await store.pool.query('select outcome, code from delivery_attempts');
  expect(rows).toEqual([{ outcome: 'interrupted', code: 'interrupted' }]);
});
