import { newId } from '../../src/ids/id.js';
import type { ApiClient } from '../harness/api-client.js';

/**
 * Reports an agent's session as the gateway of the agents does: a new session, a changed one, and its end. One tunnel
 * has a public URL and an endpoint, the other one has labels. The session, both tunnels and the endpoint make events.
 */
export async function reportTunnels(dataPlane: ApiClient, accountId: string): Promise<void> {
  const session = `/sessions/${newId('ts')}`;
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
  await dataPlane.send('PUT', session, report('first'));
  await dataPlane.send('PUT', session, report('second'));
  await dataPlane.send('DELETE', session);
}
