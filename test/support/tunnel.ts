import { newId } from '../../src/ids/id.js';
import type { TestApi } from './test-api.js';

/** Puts a session with one tunnel under a lease, as the data plane does; gives the tunnel's id. */
export async function startTunnel(api: TestApi): Promise<string> {
  const plane = await api.startDataPlane();
  try {
    const report = {
      account_id: api.accountId,
      ttl_seconds: 600,
      region: 'eu',
      tunnels: [{ name: 'web', labels: { app: 'shop' }, forwards_to: 'http://localhost:8080' }],
    };
    const answer = await plane.client.send('PUT', `/sessions/${newId('ts')}`, report);
    if (answer.status !== 200) throw new Error(`The session was answered ${answer.status}: ${answer.text}`);
  } finally {
    await plane.stop();
  }
  const { tunnels } = (await api.admin.get('/tunnels?limit=1')).body as { tunnels: { id: string }[] };
  return tunnels[0]?.id ?? '';
}
