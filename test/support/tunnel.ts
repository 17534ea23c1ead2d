import { newId } from '../../src/ids/id.js';
import type { TestApi } from './test-api.js';

/** Reports a session with one tunnel, as the data plane does. Returns the id of the tunnel. */
export async function startTunnel(api: TestApi): Promise<string> {
  const dataPlane = await api.startDataPlane();
  try {
    const report = {
      account_id: api.accountId,
      ttl_seconds: 600,
      region: 'eu',
      tunnels: [{ name: 'web', labels: { app: 'shop' }, forwards_to: 'http://localhost:8080' }],
    };
    const response = await dataPlane.client.send('PUT', `/sessions/${newId('ts')}`, report);
    if (response.status !== 200) throw new Error(`PUT /sessions returned ${response.status}: ${response.text}`);
  } finally {
    await dataPlane.stop();
  }
  const { tunnels } = (await api.admin.get('/tunnels?limit=1')).body as { tunnels: { id: string }[] };
  return tunnels[0]?.id ?? '';
}
