import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.js';

test('a free port can be listened on, and is none that the system assigns to others', async () => {
  for (let round = 0; round < 20; round += 1) {
    const port = await freePort();
    expect(port).toBeLessThan(32_768);
    // The highest port that `fetch` refuses.
    expect(port).toBeGreaterThan(10_080);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  }
});
