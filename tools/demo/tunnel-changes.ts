import { newId } from '../../src/ids/id.js';

/** Address and key of the data-plane API. */
export interface DataPlaneAddress {
  readonly url: string;
  readonly key: string;
}

/**
 * Reports an agent's session as the gateway of the agents does: a new session, a changed one, and its end. One tunnel
 * has a public URL and an endpoint, the other one has labels. The session, both tunnels and the endpoint make events.
 */
export async function reportTunnels({ url, key }: DataPlaneAddress, accountId: string): Promise<void> {
  const session = `${url}/sessions/${newId('ts')}`;
  const report = (metadata: string) => ({
    account_id: accountId,
    ttl_seconds: 60,
    region: 'eu',
    metadata,
    tunnels: [
      {
        name: 'web',
        public_url: 'https://agent.example.com',
        forwards_to: 'http://localhost:8080',
        metadata,
      },
      { name: 'pool', labels: { app: 'shop' }, forwards_to: 'http://localhost:8081', metadata },
    ],
  });
  await send('PUT', session, key, report('first'));
  await send('PUT', session, key, report('second'));
  await send('DELETE', session, key);
}

async function send(method: string, url: string, key: string, body?: unknown): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${await response.text()}`);
}
