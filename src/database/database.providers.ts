import { CONFIG } from '../config/config.js';
import { Lifecycle, opened } from '../lifecycle/lifecycle.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { PROCESS_SESSION, ProcessSession } from './connections/process-session.js';
import { DATABASE } from './database.js';
import { RetentionMarks } from './partitions/retention-marks.js';
import { openStore, STORE } from './store.js';

/** The database, opened and migrated, and the session of the process. */
export const databaseProviders = [
  opened(
    'database',
    provide(STORE, [CONFIG, LOGGER, Lifecycle], (config, logger, { host }) => openStore(config, logger, host)),
    (store) => store.close(),
  ),
  provide(DATABASE, [STORE], ({ db }) => db),
  opened(
    'session',
    provide(
      PROCESS_SESSION,
      [CONFIG, STORE, LOGGER],
      ({ INSTANCE_NAME: instance }, { connectionString }, logger) =>
        new ProcessSession({ connectionString, name: `waybill ${instance} session`, logger }),
    ),
    (session) => session.close(),
  ),
  provide(RetentionMarks, [DATABASE]),
];
