import { readConfig } from '../../src/config/config.js';
import type { ServiceHost } from '../../src/lifecycle/lifecycle.js';
import { createLogger, type Logger } from '../../src/logging/logger.js';
import { startService, type Service } from '../../src/service.js';
import { testSecretsKeys } from './secrets.js';

/** The first admin's API key of a service that `startTestService` starts. */
export const ADMIN_KEY = 'a-key-of-the-first-admin-for-this-test';

/**
 * Starts a whole service, as `npm start` does, on a free port of 127.0.0.1.
 * @param databaseUrl undefined: a separate embedded Postgres, in the DATA_DIR of the settings
 * @param settings override the settings of this function
 */
export function startTestService(
  databaseUrl: string | undefined,
  settings: Readonly<Record<string, string | undefined>> = {},
  logger: Logger = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'fatal'),
  host: ServiceHost = {},
): Promise<Service> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    SECRETS_KEYS: testSecretsKeys,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    HOST: '127.0.0.1',
    PORT: '0',
    ...settings,
  });
  return startService(config, logger, host);
}
