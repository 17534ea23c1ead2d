import { describe, inject } from 'vitest';

/** A queue backend that a test runs on. */
export interface TestBackend {
  readonly name: 'redis' | 'postgres';
  /**
   * The value for REDIS_URL: set for `redis`, undefined for `postgres`. The whole run shares the server, so each test
   * needs its own queue prefix.
   */
  readonly redisUrl: string | undefined;
}

/** Returns the queue backends of this run: always Postgres, and Redis if there is one. */
export function queueBackends(): readonly TestBackend['name'][] {
  return inject('redisUrl') === null ? ['postgres'] : ['redis', 'postgres'];
}

/**
 * Defines the same tests for each queue backend. Without Redis, its half is skipped.
 * @param options.concurrent whether all tests run at once: they must share nothing, also not the environment
 */
export function describeOnEveryBackend(
  name: string,
  define: (backend: TestBackend) => void,
  options: { readonly concurrent?: true } = {},
): void {
  const redisUrl = inject('redisUrl');
  describe.skipIf(redisUrl === null)(`${name} (redis)`, options, () => {
    define({ name: 'redis', redisUrl: redisUrl ?? undefined });
  });
  describe(`${name} (postgres)`, options, () => {
    define({ name: 'postgres', redisUrl: undefined });
  });
}
