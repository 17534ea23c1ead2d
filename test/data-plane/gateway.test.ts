import { request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startGateway, type Gateway } from '../../examples/gateway/src/gateway.js';
import { startTestApi, type TestApi, type TestDataPlane } from '../support/test-api.js';

const KEY = 'test_configuration_key_0123456789abcd';

let api: TestApi;
let plane: TestDataPlane;
let gateway: Gateway;
const lines: string[] = [];
beforeAll(async () => {
  api = await startTestApi();
  plane = await api.startDataPlane({ DATA_PLANE_CONFIG_KEY: KEY });
  const print = (line: string): void => void lines.push(line);
  gateway = await startGateway({ dataPlaneUrl: plane.client.baseUrl, key: KEY, port: 0, print, rereadMs: 100 });
});
afterAll(async () => {
  await gateway.close();
  await api.close();
});

/** Sends a request through the gateway. */
function visit(host: string, path: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.url}${path}`, { headers: { host } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject).end();
  });
}

const until = (expected: { status: number; text?: string }, host = 'shop.example.com') =>
  vi.waitFor(async () => expect(await visit(host, '/sale/today')).toMatchObject(expected), {
    timeout: 60_000,
    interval: 100,
  });

it('a change in the API arrives at the example gateway', async () => {
  await until({ status: 404 });
  const backend = await api.admin.create('/backends/http_response', { status_code: 503, body: 'closed' });
  const edge = await api.admin.create('/edges/https', { hostports: ['Shop.example.com:443'] });
  await api.admin.create(`${edge.path}/routes`, {
    match_type: 'path_prefix',
    match: '/sale',
    backend: { backend_id: backend.id },
    webhook_verification: { provider: 'github', secret: 'planted-webhook-secret' },
  });
  await until({ status: 503, text: 'closed' });
  await api.admin.patch(backend.path, { status_code: 200, body: 'open' });
  await until({ status: 200, text: 'open' });
  await api.admin.delete(edge.path);
  await until({ status: 404 });
  expect(lines.join('\n')).not.toContain('planted-webhook-secret');
});

it('the example gateway refuses the traffic of a route without its secrets, and no other', async () => {
  const backend = await api.admin.create('/backends/http_response', { status_code: 200, body: 'open' });
  const routeOf = async (host: string) => {
    const edge = await api.admin.create('/edges/https', { hostports: [`${host}:443`] });
    return api.admin.create(`${edge.path}/routes`, {
      match_type: 'path_prefix',
      match: '/',
      backend: { backend_id: backend.id },
      webhook_verification: { provider: 'github', secret: 'planted-webhook-secret' },
    });
  };
  const [damaged] = [await routeOf('damaged.example.com'), await routeOf('whole.example.com')];
  await until({ status: 200 }, 'damaged.example.com');
  await until({ status: 200 }, 'whole.example.com');
  const touch = () => sql`update resources set updated_at = now() where id = ${damaged.id}`.execute(api.store.db);
  await sql`update secrets set nonce = set_byte(nonce, 0, 255 - get_byte(nonce, 0)) where resource_id = ${damaged.id}`.execute(
    api.store.db,
  );
  await touch();
  await until({ status: 503, text: expect.stringContaining(damaged.id) as string }, 'damaged.example.com');
  await until({ status: 200 }, 'whole.example.com');
  // The operator restores the secret. No change reports it: the gateway reads everything again after a time.
  await sql`update secrets set nonce = set_byte(nonce, 0, 255 - get_byte(nonce, 0)) where resource_id = ${damaged.id}`.execute(
    api.store.db,
  );
  await until({ status: 200 }, 'damaged.example.com');
});
