import { describe, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Queue backends of the project, whether they are there or not. */
    queueBackends: readonly TestBackend['name'][];
  }
}

/** A queue backend that a test runs on. */
export interface TestBackend {
  readonly name: 'redis' | 'postgres';
  /**
   * The value for REDIS_URL: set for `redis`, undefined for `postgres`. The whole run shares the server, so each test
   * needs its own queue prefix.
   */
  readonly redisUrl: string | undefined;
}

/** The queues in Postgres. */
export const onPostgres: TestBackend = { name: 'postgres', redisUrl: undefined };

/** Returns whether the project that runs has tests on Redis, and there is a Redis. */
export function runsOnRedis(): boolean {
  return inject('queueBackends').includes('redis') && inject('redisUrl') !== null;
}

/**
 * Defines the same tests for each queue backend of the project that runs: Postgres in `integration`, Redis in `redis`.
 * Without Redis, its tests are skipped.
 * @param options.concurrent whether all tests run at once: they must share nothing, also not the environment
 */
export function describeOnEveryBackend(
  name: string,
  define: (backend: TestBackend) => void,
  options: { readonly concurrent?: true } = {},
): void {
  for (const backend of inject('queueBackends')) {
    const isRedis = backend === 'redis';
    const redisUrl = isRedis ? (inject('redisUrl') ?? undefined) : undefined;
    describe.skipIf(isRedis && !runsOnRedis())(`${name} (${backend})`, options, () => {
      define({ name: backend, redisUrl });
    });
  }
}
