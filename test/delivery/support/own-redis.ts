import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@waybill/embedded-postgres';
import { Redis } from 'ioredis';

/** A Redis server of one test, which can be stopped and started again. */
export interface OwnRedis {
  readonly url: string;
  /** Starts it (again), empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the `redis-server` of this machine on a free port. */
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
