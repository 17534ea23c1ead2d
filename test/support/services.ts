import type { TestProject } from 'vitest/node';
import { createLogger } from '../../src/logging/logger.js';
import { startTestPostgres } from './test-postgres.js';
import { startTestRedis } from './test-redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser's connection string of the Postgres that every test shares. */
    postgresUrl: string;
    /** Name of the migrated database that test stores are cloned from. */
    templateDatabase: string;
    /** The Redis that every test shares, or null where there is none. */
    redisUrl: string | null;
  }
}

/**
 * Starts the stores that the projects `integration` and `e2e` share, and prints which are used. Vitest calls this
 * function once for each project; the second call finds the stores in the context of the root project.
 * @returns a function that stops the stores
 */
export default async function startServices({ vitest }: TestProject): Promise<() => Promise<void>> {
  const root = vitest.getRootProject();
  if ('postgresUrl' in root.getProvidedContext()) return () => Promise.resolve();
  const logger = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'error');
  const [postgres, redis] = await Promise.all([startTestPostgres(logger), startTestRedis()]);
  console.info(`Postgres is ${postgres.source}; Redis is ${redis?.source ?? 'absent'}`);
  root.provide('postgresUrl', postgres.url);
  root.provide('templateDatabase', postgres.templateDatabase);
  root.provide('redisUrl', redis?.url ?? null);
  return async () => {
    await Promise.all([postgres.stop(), redis?.stop()]);
  };
}
