import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveBack, takeOut } from './checked-out.js';

/** A message of Postgres' protocol: its type, its length in bytes, its body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const TERMINATED = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

describe('a connection that the server ends in the packet with which it accepts it', () => {
  let server: Server;
  let pool: pg.Pool;
  beforeEach(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    pool = new pg.Pool({ host: '127.0.0.1', port: address.port, user: 'app', password: 'app', database: 'app' });
    pool.on('error', () => {});
  });
  afterEach(async () => {
    await pool.end();
    server.close();
  });

  it('fails its next statement, and does not end the process', async () => {
    // Without a listener from the start, the message is an uncaught exception, which fails the run.
    const client = await takeOut(pool);
    await expect(client.query('select 1')).rejects.toThrow('is not queryable');
    giveBack(client, true);
    expect(pool.totalCount).toBe(0);
  });
});
