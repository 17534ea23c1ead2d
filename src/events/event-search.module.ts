import { Module, type DynamicModule } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { RetentionMarks } from '../database/retention-marks.js';
import type { EventCatalogue } from './catalogue/event-catalogue.js';
import { Completeness } from './log/completeness.js';
import { EventSearchStore } from './log/event-search-store.js';
import { EventSearch } from './log/event-search.js';
import { ResourceTypeStore } from './resource-types/resource-type-store.js';

/** The search of events, for the routes of events, of resources and of destinations. */
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
              completeness: new Completeness(new RetentionMarks(db)),
              catalogue,
              types: new ResourceTypeStore(db),
            }),
        },
      ],
      exports: [EventSearch],
    };
  }
}
