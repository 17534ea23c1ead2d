import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { targetLimits } from '../targets/registry.js';
import { DELIVERY_OBSERVER, type DeliveryObserver } from './delivery-observer.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { Epochs } from './epochs/epochs.js';
import { EpochsModule } from './epochs/epochs.module.js';
import { LaneStore } from './lanes/lane-store.js';
import { QUEUES, type Queues } from './queues/queues.js';
import { QueuesModule } from './queues/queues.module.js';
import { MAX_REDELIVERED, Redeliveries } from './redelivery/redeliveries.js';
import { RedeliveryStore } from './redelivery/redelivery-store.js';

const observer = { token: DELIVERY_OBSERVER, optional: true };

/** Dispatch and redelivery. Both roles dispatch; worker.module.ts delivers. */
@Module({
  imports: [QueuesModule, EpochsModule],
  providers: [
    {
      provide: LaneStore,
      inject: [DATABASE],
      useFactory: (db: Database) => new LaneStore(db, targetLimits),
    },
    {
      provide: Dispatcher,
      inject: [Lifecycle, LaneStore, QUEUES, LOGGER, Epochs, observer],
      useFactory: (
        lifecycle: Lifecycle,
        lanes: LaneStore,
        queues: Queues,
        logger: Logger,
        // Opened before anything is claimed.
        _epochs: Epochs,
        observed?: DeliveryObserver,
      ) =>
        lifecycle.open(
          'dispatch',
          () => new Dispatcher(lanes, queues, logger, observed),
          (dispatcher) => dispatcher.idle(),
        ),
    },
    {
      provide: Redeliveries,
      inject: [DATABASE, Dispatcher, observer],
      useFactory: (db: Database, dispatcher: Dispatcher, observed?: DeliveryObserver) =>
        new Redeliveries(new RedeliveryStore(db), dispatcher, MAX_REDELIVERED, observed),
    },
  ],
  exports: [LaneStore, Dispatcher, Redeliveries, QueuesModule],
})
export class DeliveryModule {}
