import { Module, type DynamicModule } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { DeliveryViewStore } from '../delivery/views/delivery-view-store.js';
import { EventCatalogue } from './event-catalogue.js';
import { EventDeliveriesController } from './event-deliveries.controller.js';
import { EventLog } from './event-log.js';
import { EventStore } from './event-store.js';
import { EventTypesController } from './event-types.controller.js';
import { EventsController } from './events.controller.js';

/** The routes of events, their deliveries and their types. */
@Module({})
export class EventsApiModule {
  /** @param catalogue every event type that the families emit */
  static with(catalogue: EventCatalogue): DynamicModule {
    return {
      module: EventsApiModule,
      imports: [DeliveryModule],
      controllers: [EventsController, EventDeliveriesController, EventTypesController],
      providers: [
        { provide: EventCatalogue, useValue: catalogue },
        {
          provide: EventLog,
          inject: [DATABASE, DeliveryViewStore],
          useFactory: (db: Database, views: DeliveryViewStore) => new EventLog(new EventStore(db), views),
        },
      ],
    };
  }
}
