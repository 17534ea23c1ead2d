import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** A Redis server of one test, which can be stopped and started again. */
export interface OwnRedis {
  readonly url: string;
  /** Starts it (again), empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Starts the machine’s `redis-server` on a free port. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const redis: OwnRedis = {
    url,
    async start() {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', tmpdir(), '--save', ''];
      server = spawn('redis-server', options, { stdio: 'ignore' });
      await once(server, 'spawn');
      const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
      client.on('error', () => {});
      await client.ping();
      client.disconnect();
    },
    async stop() {
      if (!server) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      server = undefined;
      await sleep(50);
    },
  };
  await redis.start();
  return redis;
}
