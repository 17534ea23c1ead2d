import { Redis } from 'ioredis';

/** Longest that the demo waits for a Redis that it was lent, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** A connection that gives up by itself: the demo ends, whatever its Redis does. */
function connect(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  });
  // What is wrong is said by the call that fails.
  redis.on('error', () => {});
  return redis;
}

/** Why the Redis at `url` cannot be used, in words and without the password; null when it answers. */
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
      `The Redis of REDIS_URL (${host}) does not response: ${why instanceof Error ? why.message : String(why)}\n` +
      'Start it, or unset REDIS_URL: then the queues are in Postgres.'
    );
  } finally {
    redis.disconnect();
  }
}

/** Deletes every key that begins with `prefix`: what the demo leaves in a Redis that it was lent. */
export async function deleteKeys(url: string, prefix: string): Promise<void> {
  const redis = connect(url);
  try {
    await redis.connect();
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 }) as AsyncIterable<
      string[]
    >) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}
