import { Module, type DynamicModule } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { LaneViewStore } from '../destinations/status/lane-view-store.js';
import type { EventCatalogue } from '../events/catalogue/event-catalogue.js';
import { EventSearchModule } from '../events/event-search.module.js';
import { EventSearchStore, MOST_SCANNED } from '../events/log/event-search-store.js';
import { EventSearch } from '../events/log/event-search.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { DirectExportController } from './api/direct-export.controller.js';
import { BYTES_OF_PAGE, DirectExport } from './api/direct-export.js';
import { ExportsController } from './api/exports.controller.js';
import { Exports } from './api/exports.js';
import { ExportStore } from './export-store.js';
import { openExportStorages } from './storage/export-storages.js';

/** Bytes of a GiB. */
const GIB = 2 ** 30;

/** The routes of exports. The worker writes their files (`exportWriting`). */
@Module({})
export class ExportsModule {
  /** @param catalogue every event type that the families emit */
  static with(catalogue: EventCatalogue): DynamicModule {
    return {
      module: ExportsModule,
      imports: [DestinationsModule, EventSearchModule.with(catalogue)],
      controllers: [DirectExportController, ExportsController],
      providers: [
        {
          provide: DirectExport,
          inject: [DATABASE, EventSearch, LOGGER],
          useFactory: (db: Database, search: EventSearch, logger: Logger) =>
            new DirectExport({ search, events: new EventSearchStore(db, MOST_SCANNED, BYTES_OF_PAGE), logger }),
        },
        {
          provide: Exports,
          inject: [CONFIG, DATABASE, EventSearch, LaneViewStore, LOGGER],
          useFactory: (config: Config, db: Database, search: EventSearch, lanes: LaneViewStore, logger: Logger) =>
            new Exports({
              store: new ExportStore(db),
              search,
              events: new EventSearchStore(db),
              lanes,
              storages: openExportStorages(config),
              limits: {
                underWay: config.EXPORTS_PER_ACCOUNT,
                files: config.EXPORT_FILES_PER_ACCOUNT,
                bytes: Math.round(config.EXPORT_GIB_PER_ACCOUNT * GIB),
              },
              logger,
            }),
        },
      ],
    };
  }
}
