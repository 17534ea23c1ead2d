import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { targetLimits } from '../targets/registry.js';
import { deadlineMsOf } from './deadline.js';
import { DELIVERY_OBSERVER, type DeliveryObserver } from './delivery-observer.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { Epochs } from './epochs/epochs.js';
import { EpochsModule } from './epochs/epochs.module.js';
import { LaneStore } from './lanes/lane-store.js';
import { QUEUES, type Queues } from './queues/queues.js';
import { QueuesModule } from './queues/queues.module.js';
import { MAX_REDELIVERED, Redeliveries } from './redelivery/redeliveries.js';
import { RedeliveryStore } from './redelivery/redelivery-store.js';
import { DeliveryViewStore } from './views/delivery-view-store.js';
import { LaneViewStore } from './views/lane-view-store.js';

const observer = { token: DELIVERY_OBSERVER, optional: true };

/** Dispatch, redelivery and views. Both roles dispatch; worker.module.ts delivers. */
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
    {
      provide: DeliveryViewStore,
      inject: [DATABASE],
      useFactory: (db: Database) => new DeliveryViewStore(db),
    },
    {
      provide: LaneViewStore,
      inject: [DATABASE, CONFIG],
      useFactory: (db: Database, config: Config) => new LaneViewStore(db, deadlineMsOf(config)),
    },
  ],
  exports: [LaneStore, Dispatcher, Redeliveries, DeliveryViewStore, LaneViewStore, QueuesModule],
})
export class DeliveryModule {}
