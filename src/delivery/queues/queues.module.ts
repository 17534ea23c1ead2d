import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { STORE, type Store } from '../../database/store.js';
import { Lifecycle } from '../../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { openQueues, QUEUES } from './queues.js';

/** The queues, on Redis or Postgres. */
@Module({
  providers: [
    {
      provide: QUEUES,
      inject: [CONFIG, STORE, LOGGER, Lifecycle],
      useFactory: (config: Config, store: Store, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'queues',
          () => openQueues(config, store, logger),
          (queues) => queues.close(),
        ),
    },
  ],
  exports: [QUEUES],
})
export class QueuesModule {}
