import { Redis } from 'ioredis';
import { statOf } from '../../harness/proc.js';
import { RedisServer } from '../../harness/redis-server.js';

/** The Redis of a run. */
export interface BenchRedis {
  readonly url: string;
  readonly version: string;
  /** Process id; null if it runs on another machine. */
  readonly pid: number | null;
  /** Returns `used_memory`, in bytes. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Connects to `given`, or starts `redis-server` or `valkey-server` in `folder`. Returns null without either.
 * @throws Error if `given` cannot be reached
 */
export async function openRedis(given: string | undefined, folder: string): Promise<BenchRedis | null> {
  const server = given ? { url: given, stop: () => Promise.resolve() } : await RedisServer.open(folder);
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
