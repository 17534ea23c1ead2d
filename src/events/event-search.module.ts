import { Module, type DynamicModule } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { RetentionMarks } from '../database/retention-marks.js';
import type { EventCatalogue } from './event-catalogue.js';
import { RegisteredTypeStore } from './registered-types/registered-type-store.js';
import { Completeness } from './search/completeness.js';
import { DeliverySearchStore } from './search/delivery-search-store.js';
import { DeliverySearch } from './search/delivery-search.js';
import { EventSearchStore } from './search/event-search-store.js';
import { EventSearch } from './search/event-search.js';

const completenessIn = (db: Database) => new Completeness(new RetentionMarks(db));

/** The searches of events and deliveries, for the routes of events and of resources. */
@Module({})
export class EventSearchModule {
  /** @param catalogue every event type that the families emit */
  static with(catalogue: EventCatalogue): DynamicModule {
    return {
      module: EventSearchModule,
      providers: [
        {
          provide: EventSearch,
          inject: [DATABASE],
          useFactory: (db: Database) =>
            new EventSearch({
              store: new EventSearchStore(db),
              completeness: completenessIn(db),
              catalogue,
              types: new RegisteredTypeStore(db),
            }),
        },
        {
          provide: DeliverySearch,
          inject: [DATABASE, EventSearch],
          useFactory: (db: Database, events: EventSearch) =>
            new DeliverySearch({ store: new DeliverySearchStore(db), completeness: completenessIn(db), events }),
        },
      ],
      exports: [EventSearch, DeliverySearch],
    };
  }
}
