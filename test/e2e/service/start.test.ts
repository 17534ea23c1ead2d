import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DataPlane } from '../../../src/data-plane/data-plane.js';
import type { Store } from '../../../src/database/store.js';
import { DeliveryWorker } from '../../../src/delivery/worker.js';
import { newId } from '../../../src/ids/id.js';
import type { Runner } from '../../../src/lifecycle/lifecycle.js';
import { Maintenance, MAINTENANCE_TASKS } from '../../../src/maintenance/maintenance.js';
import { CertificateChecks } from '../../../src/resources/managed-certificates/certificate-checks.js';
import { TestClient } from '../../support/api-client.js';
import { createTestStore } from '../../support/database.js';
import { ADMIN_KEY, startTestService } from '../../support/test-service.js';

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(() => store.close());

/** The connections that an instance has to Postgres, its session included. */
async function connectionsOf(instance: string): Promise<number> {
  const { rows } = await store.pool.query<{ count: string }>(
    'select count(*) from pg_stat_activity where application_name like $1',
    [`waybill ${instance}%`],
  );
  return Number(rows[0]?.count);
}

describe('a start that fails', () => {
  it.each(['PORT', 'DATA_PLANE_PORT'])('opens no store when %s is in use', async (setting) => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const settings = {
      [setting]: String(port),
      INSTANCE_NAME: newId('test'),
      DATA_PLANE_KEY: 'data_plane_key_0123456789abcdef',
    };
    // A store that does not exist would be reported instead.
    await expect(startTestService('postgres://127.0.0.1:1/none', settings)).rejects.toThrow('EADDRINUSE');
    occupant.close();
  });

  it('closes the stores when the queues cannot be opened', async () => {
    const settings = { INSTANCE_NAME: newId('test'), QUEUE_PREFIX: 'pg_reserved' };
    await expect(startTestService(store.connectionString, settings)).rejects.toThrow('pg_reserved');
    await vi.waitFor(async () => expect(await connectionsOf(settings.INSTANCE_NAME)).toBe(0), 60_000);
  });

  it('closes the stores when a stop is asked for in its middle', async () => {
    const fresh = await createTestStore();
    const stop = new AbortController();
    const settings = { INSTANCE_NAME: newId('test'), BOOTSTRAP_API_KEY: undefined };
    const host = { stop: stop.signal, showKey: () => stop.abort('SIGTERM') };
    const started = startTestService(fresh.connectionString, settings, undefined, host);
    await expect(started).rejects.toBe('SIGTERM');
    await vi.waitFor(async () => expect(await connectionsOf(settings.INSTANCE_NAME)).toBe(0), 60_000);
    await fresh.close();
  });
});

it('starts the data plane before the workers, in whatever order the roles are given', async () => {
  const parts: readonly Runner[] = [DataPlane, DeliveryWorker, Maintenance].map(({ prototype }) => prototype);
  const spies = parts.map((part) => vi.spyOn(part, 'start'));
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  const service = await startTestService(store.connectionString, { ROLES: 'worker,api' });
  expect(service.app.get(MAINTENANCE_TASKS)).toContain(service.app.get(CertificateChecks));
  await service.stop();
  const order = spies.map(({ mock }) => mock.invocationCallOrder);
  expect(order).toEqual(order.toSorted(([a = 0], [b = 0]) => a - b));
  expect(order.map(({ length }) => length)).toEqual([1, 1, 1]);
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === 'IPv6'),
);

describe.each(['0.0.0.0', '::'])('a service that listens on %s, on a port that the system chooses', (host) => {
  it.skipIf(host === '::' && !hasIPv6)('puts an address that clients can use into its events', async () => {
    const key = 'data_plane_key_0123456789abcdef';
    const service = await startTestService(store.connectionString, {
      HOST: host,
      DATA_PLANE_HOST: host,
      DATA_PLANE_PORT: '0',
      DATA_PLANE_KEY: key,
    });
    try {
      expect(service.url).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
      expect(service.dataPlaneUrl).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
      const { port } = new URL(service.url);
      const client = new TestClient(`http://127.0.0.1:${port}`, ADMIN_KEY);
      const gateway = new TestClient(service.dataPlaneUrl ?? '', key);
      const account = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
      const session = newId('ts');
      const report = { account_id: account.id, ttl_seconds: 60, region: 'eu' };
      expect((await gateway.send('PUT', `/sessions/${session}`, report)).status).toBe(200);
      const domain = await client.create('/reserved_domains', {
        domain: `${newId('d').replace('_', '-')}.example.com`,
        certificate_management_policy: {},
      });
      const failure = { failed: { message: 'The authority is not available.' } };
      expect((await gateway.send('PUT', `/certificates/${domain.id}`, failure)).status).toBe(204);
      const uriIn = async (type: string): Promise<unknown> => {
        const { body } = await client.get(`/events?type=${type}`);
        const [event] = body.events as { payload: { object: { uri: string } } }[];
        return event?.payload.object.uri;
      };
      expect(await uriIn('tunnel_session_created.v0')).toBe(`${service.url}/tunnel_sessions/${session}`);
      expect(await uriIn('reserved_domain_updated.v0')).toBe(`${service.url}/reserved_domains/${domain.id}`);
    } finally {
      await service.stop();
    }
  });
});
