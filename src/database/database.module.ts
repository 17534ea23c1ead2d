import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { DATABASE } from './database.js';
import { PROCESS_SESSION, ProcessSession } from './process-session.js';
import { openStore, STORE, type Store } from './store.js';

/** The database, opened and migrated, and the session of the process. */
@Global()
@Module({
  providers: [
    {
      provide: STORE,
      inject: [CONFIG, LOGGER, Lifecycle],
      useFactory: (config: Config, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'database',
          () => openStore(config, logger, lifecycle.host),
          (store) => store.close(),
        ),
    },
    { provide: DATABASE, inject: [STORE], useFactory: ({ db }: Store) => db },
    {
      provide: PROCESS_SESSION,
      inject: [CONFIG, STORE, LOGGER, Lifecycle],
      useFactory: (config: Config, { connectionString }: Store, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'session',
          () => new ProcessSession({ connectionString, name: `waybill ${config.INSTANCE_NAME} session`, logger }),
          (session) => session.close(),
        ),
    },
  ],
  exports: [STORE, DATABASE, PROCESS_SESSION],
})
export class DatabaseModule {}
