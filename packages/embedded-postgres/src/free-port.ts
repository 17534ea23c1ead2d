import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The system assigns no port below 32,768 itself: neither to a connection nor to a server that listens on port 0.
 * `fetch` and browsers refuse 10080, the highest of their blocked ports (https://fetch.spec.whatwg.org/#port-blocking).
 */
const [FIRST_PORT, LAST_PORT] = [10_081, 32_767];
const MAX_TRIES = 100;

/**
 * Returns a TCP port of 127.0.0.1 that was free a moment ago. Another process may take it before the caller listens,
 * but only one that asks for this port.
 * @throws Error when no free port was found
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port was found on 127.0.0.1 between ${FIRST_PORT} and ${LAST_PORT}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
