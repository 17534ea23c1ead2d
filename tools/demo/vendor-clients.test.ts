import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { waitForClients } from './vendor-clients.js';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Serves these responses of /readyz, one after the other; returns the base URL. */
async function serve(responses: readonly object[]): Promise<string> {
  let next = 0;
  const server = createServer((_, response) => {
    response.end(JSON.stringify(responses[Math.min(next, responses.length - 1)]));
    next += 1;
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

it('prints which clients the service loads, and when they are loaded', async () => {
  const url = await serve([
    { status: 'ok', target_clients: { monitoring: 'loading', log_group: 'loading' } },
    { status: 'ok', target_clients: { monitoring: 'failed' } },
    { status: 'ok' },
  ]);
  const printed: string[] = [];
  await waitForClients(url, { print: (text) => void printed.push(text) });
  expect(printed).toEqual([
    "Waiting until the vendor's client is loaded for: monitoring, log_group",
    "Waiting until the vendor's client is loaded for: monitoring (failed)",
    expect.stringMatching(/^The vendors' clients are loaded after \d+\.\d s\.$/),
  ]);
});

it('prints nothing when all are loaded', async () => {
  const printed: string[] = [];
  await waitForClients(await serve([{ status: 'ok' }]), { print: (text) => void printed.push(text) });
  expect(printed).toEqual([]);
});
