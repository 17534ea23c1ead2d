import { Module, type DynamicModule } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { RetentionMarks } from '../database/retention-marks.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { HttpModule } from '../http/http.module.js';
import { EVENT_BUDGET, type EventBudget } from '../http/rate-limit/event-budget.js';
import { REQUEST_OBSERVER, type RequestObserver } from '../http/request/request-observer.js';
import { EventCatalogue } from './catalogue/event-catalogue.js';
import { EventTypesController } from './catalogue/event-types.controller.js';
import { EventSearchModule } from './event-search.module.js';
import { EventsModule } from './events.module.js';
import { EventStore } from './fan-out/event-store.js';
import { EventLog } from './log/event-log.js';
import { EventsController } from './log/events.controller.js';
import { RetentionController } from './log/retention.controller.js';
import { Publisher } from './publishing/publisher.js';
import { ResourceTypeStore } from './resource-types/resource-type-store.js';
import { ObjectSchemas } from './resource-types/schemas/object-schemas.js';
import { UnevaluatedFilters } from './rules/unevaluated-filters.js';

/** The routes of events and their types. */
@Module({})
export class EventsApiModule {
  /** @param catalogue every event type that the families emit */
  static with(catalogue: EventCatalogue): DynamicModule {
    return {
      module: EventsApiModule,
      imports: [DeliveryModule, EventsModule, HttpModule, EventSearchModule.with(catalogue)],
      controllers: [EventsController, EventTypesController, RetentionController],
      providers: [
        { provide: EventCatalogue, useValue: catalogue },
        {
          provide: EventLog,
          inject: [DATABASE],
          useFactory: (db: Database) => new EventLog(new EventStore(db)),
        },
        { provide: RetentionMarks, inject: [DATABASE], useFactory: (db: Database) => new RetentionMarks(db) },
        {
          provide: ResourceTypeStore,
          inject: [DATABASE],
          useFactory: (db: Database) => new ResourceTypeStore(db),
        },
        {
          provide: Publisher,
          inject: [
            DATABASE,
            ResourceTypeStore,
            ObjectSchemas,
            Dispatcher,
            EVENT_BUDGET,
            REQUEST_OBSERVER,
            UnevaluatedFilters,
          ],
          useFactory: (
            db: Database,
            types: ResourceTypeStore,
            schemas: ObjectSchemas,
            dispatcher: Dispatcher,
            budget: EventBudget | null,
            observer: RequestObserver | null,
            filters: UnevaluatedFilters,
          ) => new Publisher({ db, types, schemas, dispatcher, budget, observer, report: filters.sent }),
        },
      ],
    };
  }
}
