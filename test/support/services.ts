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
 * Starts the stores of the projects `integration` and `e2e`, once for each project, and says which are used. Returns a
 * function that ends them.
 */
export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const logger = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'error');
  const [postgres, redis] = await Promise.all([startTestPostgres(logger), startTestRedis()]);
  console.info(`${project.name}: Postgres is ${postgres.source}; Redis is ${redis?.source ?? 'absent'}`);
  project.provide('postgresUrl', postgres.url);
  project.provide('templateDatabase', postgres.templateDatabase);
  project.provide('redisUrl', redis?.url ?? null);
  return async () => {
    await Promise.all([postgres.stop(), redis?.stop()]);
  };
}
