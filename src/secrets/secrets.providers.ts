import { CONFIG } from '../config/config.js';
import { PROCESS_SESSION } from '../database/connections/process-session.js';
import { DATABASE } from '../database/database.js';
import { opened } from '../lifecycle/lifecycle.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { KeyRing } from './key-ring.js';
import { LogKeys, openLogKeys } from './log-keys.js';
import { OpenKeyRing, openKeyRing } from './open-key-ring.js';
import { SecretStore } from './secret-store.js';

/** The key ring, and what it seals. */
export const secretsProviders = [
  opened(
    'keys',
    provide(OpenKeyRing, [CONFIG, DATABASE, PROCESS_SESSION, LOGGER], (config, db, session, logger) =>
      openKeyRing(config, { db, session }, logger),
    ),
    (keys) => keys.close(),
  ),
  provide(KeyRing, [OpenKeyRing], ({ ring }) => ring),
  provide(SecretStore, [KeyRing]),
  provide(LogKeys, [DATABASE, KeyRing, CONFIG, LOGGER], openLogKeys),
];
