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
 * Starts the stores that a project needs, and prints which are used. Vitest calls this function once for each project;
 * later calls find what was started in the context of the root project.
 * @returns a function that stops the stores that were started
 */
export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const root = project.vitest.getRootProject();
  const known = root.getProvidedContext();
  const needsRedis = project.getProvidedContext().queueBackends.includes('redis');
  const [postgres, redis] = await Promise.all([
    'postgresUrl' in known ? null : startPostgres(root),
    needsRedis && typeof known.redisUrl !== 'string' ? startRedis(root) : null,
  ]);
  return async () => {
    await Promise.all([postgres?.stop(), redis?.stop()]);
  };
}

async function startPostgres(root: TestProject) {
  const postgres = await startTestPostgres(createLogger(process.env['TEST_LOG_LEVEL'] ?? 'error'));
  console.info(`Postgres is ${postgres.source}`);
  root.provide('postgresUrl', postgres.url);
  root.provide('templateDatabase', postgres.templateDatabase);
  if (!('redisUrl' in root.getProvidedContext())) root.provide('redisUrl', null);
  return postgres;
}

async function startRedis(root: TestProject) {
  const redis = await startTestRedis();
  console.info(`Redis is ${redis?.source ?? 'absent'}`);
  root.provide('redisUrl', redis?.url ?? null);
  return redis;
}
