import { Module } from '@nestjs/common';
import { DELIVERY_OBSERVER, type DeliveryObserver } from '../delivery/delivery-observer.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { EventRecorder } from './fan-out/event-recorder.js';
import { fanOutLimits } from './fan-out/fan-out-statement.js';
import { ObjectSchemas } from './resource-types/schemas/object-schemas.js';
import { UnevaluatedFilters } from './rules/unevaluated-filters.js';

/** Recording of events in the transaction of the change, reports of filters, and the schemas of resource types. */
@Module({
  providers: [
    {
      provide: UnevaluatedFilters,
      inject: [LOGGER, { token: DELIVERY_OBSERVER, optional: true }],
      useFactory: (logger: Logger, observer?: DeliveryObserver) => new UnevaluatedFilters(logger, observer),
    },
    {
      provide: EventRecorder,
      inject: [UnevaluatedFilters],
      useFactory: (filters: UnevaluatedFilters) => new EventRecorder(fanOutLimits, filters.sent),
    },
    {
      provide: ObjectSchemas,
      inject: [Lifecycle],
      useFactory: (lifecycle: Lifecycle) =>
        lifecycle.open(
          'dispatch',
          () => new ObjectSchemas(),
          (schemas) => schemas.close(),
        ),
    },
  ],
  exports: [EventRecorder, ObjectSchemas, UnevaluatedFilters],
})
export class EventsModule {}
