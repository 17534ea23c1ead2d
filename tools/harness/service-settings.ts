import { randomBytes } from 'node:crypto';
import type { SandboxProcess } from './sandbox-process.js';

/** Stores, targets and API key of an installation. */
export interface Parts {
  readonly sandbox: Pick<SandboxProcess, 'environment'>;
  readonly connectionString: string;
  /** Undefined: the queues are in Postgres. */
  readonly redisUrl: string | undefined;
  /** API key of the admin. */
  readonly token: string;
}

/**
 * Returns the settings of the service's processes: those of an installation, no rate limit, quotas beyond any run,
 * defaults for the rest.
 */
export function serviceSettings({ sandbox, connectionString, redisUrl = '', token }: Parts) {
  return {
    ...sandbox.environment,
    DATABASE_URL: connectionString,
    // An empty value counts as unset and overrides the REDIS_URL of this process.
    REDIS_URL: redisUrl,
    SECRETS_KEYS: `tools:${randomBytes(32).toString('base64')}`,
    BOOTSTRAP_API_KEY: token,
    RATE_LIMIT_PER_MINUTE: '0',
    QUOTAS: 'ip_policy=10000000,event_destination=1000000',
  };
}
