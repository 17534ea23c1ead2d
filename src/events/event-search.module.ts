import { Module, type DynamicModule } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import type { EventCatalogue } from './event-catalogue.js';
import { RegisteredTypeStore } from './registered-types/registered-type-store.js';
import { EventSearchStore } from './search/event-search-store.js';
import { EventSearch } from './search/event-search.js';
import { SearchFillStore } from './search/search-fill-store.js';

/** The search of events, for the routes of events and of resources. */
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
              fill: new SearchFillStore(db),
              catalogue,
              types: new RegisteredTypeStore(db),
            }),
        },
      ],
      exports: [EventSearch],
    };
  }
}
