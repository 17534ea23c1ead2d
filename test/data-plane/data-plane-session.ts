import { newId } from '../../src/ids/id.js';
import type { JsonObject, TestResponse, TestClient } from '../support/api-client.js';
import type { TestApi, TestDataPlane } from '../support/test-api.js';

let hosts = 0;

/** A URL that no other endpoint of the test has. */
export function freshUrl(): string {
  hosts += 1;
  return `https://agent${hosts}.example.com`;
}

/** A session of a gateway. */
export interface TestSession {
  readonly id: string;
  readonly url: string;
  /** Reports the session, with these members instead of the default ones. */
  report(members?: JsonObject): Promise<TestResponse>;
  renew(ttlSeconds: number): Promise<TestResponse>;
  end(): Promise<TestResponse>;
  /** The session, its tunnels and its endpoints, from the API. */
  read(): Promise<{ session: TestResponse; tunnels: JsonObject[]; endpoints: JsonObject[] }>;
}

/** A session, not reported yet, with one tunnel with a unique URL and one with labels. */
export function testSession(api: TestApi, plane: TestDataPlane, client: TestClient = plane.client): TestSession {
  const id = newId('ts');
  const url = freshUrl();
  const usual = {
    account_id: api.accountId,
    ttl_seconds: 60,
    region: 'eu',
    agent_version: '3.9.0',
    ip: '192.0.2.7',
    os: 'linux',
    transport: 'tls',
    metadata: '{"host":"laptop"}',
    tunnels: [
      { name: 'web', public_url: url, forwards_to: 'http://localhost:3000', metadata: '{"a":1}' },
      { name: 'api', labels: { app: 'shop', env: id }, forwards_to: 'localhost:4000' },
    ],
  };
  const mine = (items: unknown): JsonObject[] =>
    (items as JsonObject[]).filter((item) => (item.tunnel_session as JsonObject | null)?.id === id);
  return {
    id,
    url,
    report: (members = {}) => client.send('PUT', `/sessions/${id}`, { ...usual, ...members }),
    renew: (ttlSeconds) => client.send('PUT', `/sessions/${id}/lease`, { ttl_seconds: ttlSeconds }),
    end: () => client.delete(`/sessions/${id}`),
    read: async () => ({
      session: await api.admin.get(`/tunnel_sessions/${id}`),
      tunnels: mine((await api.admin.get('/tunnels')).body.tunnels),
      endpoints: mine((await api.admin.get('/endpoints')).body.endpoints),
    }),
  };
}

/** The types of the events about these resources, oldest first. */
export async function eventTypesAbout(api: TestApi, ids: readonly string[]): Promise<string[]> {
  const rows = await api.store.db
    .selectFrom('events')
    .select('type')
    .where('resource_id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(({ type }) => type);
}
