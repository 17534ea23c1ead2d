import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from '../../../src/database/embedded/free-port.js';
import { startWithParent } from '../../../src/database/embedded/process-with-parent.js';
import { programEnvironment } from '../../../src/database/embedded/run-program.js';
import { statOf } from '../cpu/proc.js';

/** The Redis of a run. */
export interface BenchRedis {
  readonly url: string;
  readonly version: string;
  /** Its process, where it runs on this machine. */
  readonly pid: number | null;
  /** Bytes that its data and what belongs to it take, as Redis itself says. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}

/** As `docker-compose.yml` runs it: what was acknowledged survives a restart, and nothing is thrown away. */
const settings = ['--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];

/**
 * Connects to REDIS_URL, or starts a `redis-server` or `valkey-server` of this machine in `folder`. Null where there is neither.
 * @throws Error when it cannot be reached
 */
export async function openRedis(given: string | undefined, folder: string): Promise<BenchRedis | null> {
  const server = given ? { url: given, stop: () => Promise.resolve() } : await startServer(folder);
  if (!server) return null;
  const client = new Redis(server.url, { lazyConnect: true, maxRetriesPerRequest: 3 });
  client.on('error', () => {});
  await client.connect();
  const info = (section: string, name: string) =>
    client.info(section).then((text) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1] ?? '');
  const pid = Number(await info('server', 'process_id'));
  return {
    url: server.url,
    version: await info('server', 'redis_version'),
    pid: /redis|valkey/.test((await statOf(pid))?.name ?? '') ? pid : null,
    usedBytes: async () => Number(await info('memory', 'used_memory')),
    close: async () => {
      client.disconnect();
      await server.stop();
    },
  };
}

async function startServer(folder: string): Promise<{ url: string; stop(): Promise<void> } | null> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const program = ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((one) => join(one, name)))
    .find((candidate) => existsSync(candidate));
  if (!program) return null;
  const port = await freePort();
  const place = { cwd: folder, env: programEnvironment(), account: null };
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings];
  const server = startWithParent(program, args, 'TERM', place);
  server.stdout.resume();
  server.stderr.resume();
  // Time for it to listen; the client that connects next says what is wrong otherwise.
  await sleep(500);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.stdin.end();
      await ended;
    },
  };
}
