import { describe, inject } from 'vitest';

/** A store for queues that a test runs on. */
export interface TestBackend {
  readonly name: 'redis' | 'postgres';
  /**
   * What REDIS_URL would be: set for `redis`, undefined for `postgres`. The server is shared by the whole run, so take
   * a queue prefix of your own.
   */
  readonly redisUrl: string | undefined;
}

/** The queue backends of this run: always Postgres, and Redis where there is one. */
export function queueBackends(): readonly TestBackend['name'][] {
  return inject('redisUrl') === null ? ['postgres'] : ['redis', 'postgres'];
}

/**
 * Describes the same behaviour once for each queue backend. On a machine without Redis that half shows as skipped.
 * @param options `concurrent` for tests that mostly wait, and share nothing
 */
export function describeOnEveryBackend(
  name: string,
  define: (backend: TestBackend) => void,
  options: { readonly concurrent?: boolean } = {},
): void {
  const redisUrl = inject('redisUrl');
  describe.skipIf(redisUrl === null)(`${name} (redis)`, options, () => {
    define({ name: 'redis', redisUrl: redisUrl ?? undefined });
  });
  describe(`${name} (postgres)`, options, () => {
    define({ name: 'postgres', redisUrl: undefined });
  });
}
