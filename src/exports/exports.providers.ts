import { CONFIG } from '../config/config.js';
import { RETENTION } from '../config/retention.js';
import { DATABASE } from '../database/database.js';
import { RetentionMarks } from '../database/partitions/retention-marks.js';
import { Projections } from '../delivery/lanes/projections.js';
import { DeliveryViewStore } from '../destinations/deliveries/view/delivery-view-store.js';
import { LaneViewStore } from '../destinations/status/lane-view-store.js';
import { EventSearchStore, MOST_SCANNED } from '../events/log/event-search-store.js';
import { EventSearch } from '../events/log/event-search.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { LogKeys } from '../secrets/log-keys.js';
import { DirectExportController } from './api/direct-export.controller.js';
import { BYTES_OF_PAGE, DirectExport } from './api/direct-export.js';
import { ExportsController } from './api/exports.controller.js';
import { EXPORT_LIMITS, ExportStore } from './export-store.js';
import { ExportStorages, openExportStorages } from './storage/export-storages.js';
import { ExportCleanup } from './work/export-cleanup.js';
import { ExportRunner } from './work/export-runner.js';
import { ExportWorkStore } from './work/export-work-store.js';
import { ExportWriter } from './work/export-writer.js';

/** Bytes of a GiB. */
const GIB = 2 ** 30;

/** The injection token of the task that leaves out large exports. */
export const SMALL_EXPORT_RUNNER = tokenOf<ExportRunner>('SmallExportRunner');

/** What both tasks that write exports work with. */
const runnerParts = {
  store: ExportWorkStore,
  writer: ExportWriter,
  storages: ExportStorages,
  retention: RETENTION,
  logger: LOGGER,
};

/** The routes of exports. */
export const exportControllers = [DirectExportController, ExportsController];

/** Exports as resources, and the tasks that write and remove their files. */
export const exportProviders = [
  provide(
    DirectExport,
    { db: DATABASE, search: EventSearch, marks: RetentionMarks, logger: LOGGER },
    ({ db, ...parts }) => new DirectExport({ ...parts, events: new EventSearchStore(db, MOST_SCANNED, BYTES_OF_PAGE) }),
  ),
  provide(ExportStorages, [CONFIG], openExportStorages),
  provide(ExportStore, [DATABASE]),
  provide(EXPORT_LIMITS, [CONFIG], (config) => ({
    underWay: config.EXPORTS_PER_ACCOUNT,
    files: config.EXPORT_FILES_PER_ACCOUNT,
    bytes: Math.round(config.EXPORT_GIB_PER_ACCOUNT * GIB),
  })),
  provide(ExportWorkStore, [DATABASE]),
  provide(
    ExportWriter,
    {
      db: DATABASE,
      events: EventSearchStore,
      deliveries: DeliveryViewStore,
      lanes: LaneViewStore,
      marks: RetentionMarks,
      storages: ExportStorages,
      keys: LogKeys,
    },
    ({ db, storages, keys, ...parts }) =>
      new ExportWriter({
        ...parts,
        logName: keys.logName,
        projections: (destinationId, eventIds) => Projections.read(db, destinationId, eventIds),
        storage: storages.current,
      }),
  ),
  provide(
    ExportRunner,
    runnerParts,
    ({ retention, ...parts }) => new ExportRunner({ ...parts, keptMs: retention.exportsMs, smallOnly: false }),
  ),
  provide(
    SMALL_EXPORT_RUNNER,
    runnerParts,
    ({ retention, ...parts }) => new ExportRunner({ ...parts, keptMs: retention.exportsMs, smallOnly: true }),
  ),
  provide(ExportCleanup, { store: ExportWorkStore, storages: ExportStorages, logger: LOGGER }),
];
