import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Service } from '../../../src/service.js';
import { TestClient } from '../../support/api-client.js';
import { createTestStore } from '../../support/database.js';
import { ADMIN_KEY, startTestService } from '../../support/test-service.js';

const run = promisify(execFile);
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const hex = (): string => randomBytes(16).toString('hex');

describe('waybill rotate-secrets', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  /** Starts a service; without settings for them, with an embedded Postgres and a key file. */
  const start = (settings: Readonly<Record<string, string>>): Promise<Service> =>
    startTestService(settings['DATABASE_URL'], {
      ...sandbox.environment,
      RATE_LIMIT_PER_MINUTE: '0',
      SECRETS_KEYS: undefined,
      ...settings,
    });

  /** Runs the command in a process of its own, as an operator does. */
  const rotate = async (settings: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const { stdout } = await run(process.execPath, ['src/rotate-secrets.js', ...args], {
      cwd: inject('compiledProject'),
      env: { PATH: process.env['PATH'], ...settings },
    });
    return stdout;
  };

  /** Creates three destinations and a subscription to the events of `load`. */
  async function setUp(client: TestClient): Promise<string[]> {
    const paths: string[] = [];
    for (let made = 0; made < 3; made += 1) {
      const target = { monitoring: { api_key: hex(), site: 'datadoghq.com', service: `audit-${made}` } };
      paths.push((await client.create('/event_destinations', { target })).path);
    }
    await client.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: paths.map((each) => each.slice('/event_destinations/'.length)),
    });
    return paths;
  }

  /** Makes changes and sets new secrets of destinations until stopped. `stop` returns the number of changes. */
  function load(client: TestClient, paths: readonly string[]): { stop(): Promise<number> } {
    const stopped = new AbortController();
    const changing = (async () => {
      let changes = 0;
      while (!stopped.signal.aborted) {
        const made = await client.post('/ip_policies', {}, { 'idempotency-key': hex() });
        expect(made.status).toBe(201);
        changes += 1;
      }
      return changes;
    })();
    const renewing = (async () => {
      for (let turn = 0; !stopped.signal.aborted; turn += 1) {
        const [target, each] = [{ monitoring: { api_key: hex() } }, paths[turn % paths.length] ?? ''];
        expect((await client.patch(each, { target })).status).toBe(200);
      }
    })();
    return {
      stop: async () => {
        stopped.abort();
        await renewing;
        return changing;
      },
    };
  }

  /** Waits until each of the three destinations has received every change once, without a failed attempt. */
  async function expectDelivered(client: TestClient, paths: readonly string[], changes: number): Promise<void> {
    const received = () =>
      paths.map((_, made) => sandbox.received({ target: 'monitoring', address: `audit-${made}` }).length);
    await expect.poll(received).toEqual(paths.map(() => changes));
    for (const each of paths)
      expect((await client.get(`${each}/status`)).body).toMatchObject({
        status: 'healthy',
        last_error: null,
      });
  }

  it('replaces the key while processes run, change secrets and deliver', async () => {
    sandbox.clear();
    const store = await createTestStore();
    const [k1, k2] = [key('k1'), key('k2')];
    const settings = (keys: string, roles: string) => ({
      DATABASE_URL: store.connectionString,
      SECRETS_KEYS: keys,
      ROLES: roles,
      INSTANCE_NAME: `${roles}-with-${keys.replaceAll(/:[^,]*/g, '')}`,
    });
    const both = `${k2},${k1}`;
    let [api, worker] = [await start(settings(k1, 'api')), await start(settings(k1, 'worker'))];
    try {
      const client = new TestClient(api.url, ADMIN_KEY);
      const paths = await setUp(client);
      const begun = load(client, paths);
      // The processes are replaced one by one. The command refuses to begin before the last one has the key.
      const newWorker = await start(settings(both, 'worker'));
      await worker.stop();
      worker = newWorker;
      await expect(rotate(settings(both, 'api'))).rejects.toThrow('lack the key k2: waybill api-with-k1 session');
      let changes = await begun.stop();
      const newApi = await start(settings(both, 'api'));
      await api.stop();
      api = newApi;

      const again = new TestClient(api.url, ADMIN_KEY);
      const going = load(again, paths);
      await sleep(500);
      const said = await rotate(settings(both, 'api'));
      expect(said).toMatch(/^ {2}k2: encrypts \d+ secrets, \d+ stored responses, 1 keys of logs; used by /m);
      expect(said).toContain('k1 is not used any more: you can remove it from SECRETS_KEYS.');
      await sleep(500);
      changes += await going.stop();
      await expectDelivered(again, paths, changes);
      expect(await rotate(settings(k2, 'api'), '--dry-run')).toMatch(/^ {2}k2: encrypts 3 secrets/m);

      // The old key is removed from one process at a time.
      const last = await start(settings(k2, 'api'));
      await api.stop();
      api = last;
      const final = new TestClient(api.url, ADMIN_KEY);
      expect((await final.patch(paths[0] ?? '', { target: { monitoring: { service: 'x' } } })).status).toBe(200);
      await expect(start(settings(k1, 'worker'))).rejects.toThrow('k2');
    } finally {
      await Promise.all([api.stop(), worker.stop()]);
      await store.close();
    }
  });

  it.each([
    [['--new-log-key', ''], 'Use a number of days, 0 to 3650.'],
    [['--dry-run', '--new-log-key', '0'], "cannot be used with option '--dry-run'"],
    [['--new-key', '--new-log-key'], "cannot be used with option '--new-key'"],
  ])('refuses %j, before it changes anything', async (args, message) => {
    await expect(rotate({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, ...args)).rejects.toThrow(message);
  });

  it('creates a key in the key file, which the running service uses at once', async () => {
    sandbox.clear();
    const dataDir = await mkdtemp(path.join(tmpdir(), 'waybill-rotation-'));
    const file = path.join(dataDir, 'secrets.keys');
    const settings = { DATA_DIR: dataDir };
    let service = await start(settings);
    try {
      const client = new TestClient(service.url, ADMIN_KEY);
      const paths = await setUp(client);
      const going = load(client, paths);
      await sleep(300);
      const [old] = (await readFile(file, 'utf8')).trim().split(',');
      const said = await rotate(settings, '--new-key');
      expect(said).toContain(`Created the key k2 in ${file}.`);
      expect(said).toContain(`k1 is not used any more: you can remove it from ${file}.`);
      const keys = (await readFile(file, 'utf8')).trim().split(',');
      expect(keys).toEqual([expect.stringMatching(/^k2:/), old]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await sleep(300);
      await expectDelivered(client, paths, await going.stop());

      // With the service stopped.
      await service.stop();
      expect(await rotate(settings)).toMatch(/^ {2}k2: encrypts 3 secrets, \d+ stored responses, 1 keys of logs$/m);
      service = await start(settings);
      expect(await rotate(settings, '--dry-run')).toContain('used by waybill');
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
