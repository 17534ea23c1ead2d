import { Redis } from 'ioredis';

const TIMEOUT_MS = 5_000;

/** Creates a client without retries, so that the demo always ends. */
function connect(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  });
  // The failing call reports the error.
  redis.on('error', () => {});
  return redis;
}

/** Returns why the Redis at `url` cannot be used, without its password; null if it works. */
export async function redisError(url: string): Promise<string | null> {
  const redis = connect(url);
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason ??= error));
  try {
    await redis.connect();
    await redis.ping();
    return null;
  } catch (error) {
    const { host } = new URL(url);
    const why = reason ?? error;
    return (
      `The Redis of REDIS_URL (${host}) cannot be used: ${why instanceof Error ? why.message : String(why)}\n` +
      'Start it, or unset REDIS_URL to keep the queues in Postgres.'
    );
  } finally {
    redis.disconnect();
  }
}

/** Deletes the keys of the demo from a shared Redis. */
export async function deleteKeys(url: string, prefix: string): Promise<void> {
  const redis = connect(url);
  try {
    await redis.connect();
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}
