import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import { RetentionMarks } from '../../database/retention-marks.js';
import { deadlineMsOf } from '../../delivery/deadline.js';
import { Projections } from '../../delivery/lanes/projections.js';
import { DeliveryViewStore } from '../../destinations/deliveries/view/delivery-view-store.js';
import { LaneViewStore } from '../../destinations/status/lane-view-store.js';
import { EventSearchStore } from '../../events/log/event-search-store.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask } from '../../maintenance/maintenance.js';
import { openExportStorages } from '../storage/export-storages.js';
import { ExportCleanup } from './export-cleanup.js';
import { ExportRunner } from './export-runner.js';
import { ExportWorkStore } from './export-work-store.js';
import { ExportWriter } from './export-writer.js';

/** Interval between looks for new exports, in milliseconds. */
const WRITE_INTERVAL_MS = 1_000;
const CLEAN_INTERVAL_MS = 30_000;
const DAY_MS = 86_400_000;

/**
 * Returns what makes the maintenance task that writes exports. A turn lasts as long as there are exports to write, and
 * other workers have turns in that time: each of them writes some at the same time (`ExportRunner`).
 */
export function exportWriting(config: Config): (db: Database, logger: Logger) => MaintenanceTask {
  return (db, logger) => {
    const storages = openExportStorages(config);
    const parts = {
      events: new EventSearchStore(db),
      deliveries: new DeliveryViewStore(db),
      projections: (destinationId: string, eventIds: readonly string[]) =>
        Projections.read(db, destinationId, eventIds),
      lanes: new LaneViewStore(db, deadlineMsOf(config)),
      marks: new RetentionMarks(db),
      storage: storages.current,
    };
    const runner = new ExportRunner({
      store: new ExportWorkStore(db),
      writer: new ExportWriter(parts),
      storages,
      keptMs: config.RETENTION_EXPORTS_DAYS * DAY_MS,
      logger,
    });
    return { name: 'exports', intervalMs: WRITE_INTERVAL_MS, run: (control) => runner.run(control) };
  };
}

/** Returns what makes the maintenance task that removes the files of exports. */
export function exportCleaning(config: Config): (db: Database, logger: Logger) => MaintenanceTask {
  return (db, logger) => {
    const storages = openExportStorages(config);
    const cleanup = new ExportCleanup({ store: new ExportWorkStore(db), storages, logger });
    return { name: 'export_cleanup', intervalMs: CLEAN_INTERVAL_MS, run: (control) => cleanup.run(control) };
  };
}
