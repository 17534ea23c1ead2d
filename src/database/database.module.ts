import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { DATABASE } from './database.js';
import { openStore, STORE, type Store } from './store.js';

/** The database, opened and migrated. */
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
  ],
  exports: [STORE, DATABASE],
})
export class DatabaseModule {}
