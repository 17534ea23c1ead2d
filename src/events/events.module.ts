import { Module } from '@nestjs/common';
import { DELIVERY_OBSERVER, type DeliveryObserver } from '../delivery/delivery-observer.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { EventRecorder } from './event-recorder.js';
import { fanOutLimits } from './fan-out-statement.js';
import { UnevaluatedFilters } from './rules/unevaluated-filters.js';

/** Recording of events, in the transaction of the change, and reports of filters that could not be evaluated. */
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
  ],
  exports: [EventRecorder, UnevaluatedFilters],
})
export class EventsModule {}
