import { newId } from '../../src/ids/id.js';
import type { TestApi } from './test-api.js';

let urls = 0;

/** Has the data plane report a session with one tunnel, which has an ephemeral endpoint; gives the tunnel's id. */
export async function startTunnel(api: TestApi): Promise<string> {
  const plane = await api.startDataPlane();
  urls += 1;
  const answer = await plane.client.send('PUT', `/sessions/${newId('ts')}`, {
    account_id: api.accountId,
    ttl_seconds: 600,
    region: 'eu',
    tunnels: [{ name: 'web', public_url: `https://tunnel${urls}.example.com`, forwards_to: 'localhost:80' }],
  });
  if (answer.status !== 200) throw new Error(`The session was answered ${answer.status}: ${answer.text}`);
  const [tunnel] = answer.body.tunnels as { id: string }[];
  await plane.stop();
  return tunnel?.id ?? '';
}
