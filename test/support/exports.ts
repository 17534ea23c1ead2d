import { RetentionMarks } from '../../src/database/partitions/retention-marks.js';
import { Projections } from '../../src/delivery/lanes/projections.js';
import { DeliveryViewStore } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import { LaneViewStore } from '../../src/destinations/status/lane-view-store.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import type { ExportStorage } from '../../src/exports/storage/export-storage.js';
import { ExportStorages } from '../../src/exports/storage/export-storages.js';
import { LocalFolder } from '../../src/exports/storage/local-folder.js';
import { ExportCleanup } from '../../src/exports/work/export-cleanup.js';
import { ExportRunner, type ExportRunnerParts } from '../../src/exports/work/export-runner.js';
import { ExportWorkStore } from '../../src/exports/work/export-work-store.js';
import { ExportWriter, type ExportWriterParts } from '../../src/exports/work/export-writer.js';
import { createLogger } from '../../src/logging/logger.js';
import type { JsonObject } from './api-client.js';
import type { TestApi } from './test-api.js';

const DAY_MS = 86_400_000;
const logger = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent');

/** A turn of maintenance that nothing ends. */
export const turn = { stopped: new AbortController().signal, progressed: (): void => undefined };

/** Storages of which each name is this one. */
export const onlyStorage = (storage: ExportStorage): ExportStorages => new ExportStorages(storage, () => storage);

/** What a worker has to write the exports of an API; `parts` and `others` replace some of it. */
export function exportRunner(
  api: TestApi,
  parts: Partial<ExportWriterParts> = {},
  others: Partial<ExportRunnerParts> = {},
): ExportRunner {
  const { db } = api.store;
  const storage: ExportStorage = parts.storage ?? new LocalFolder(api.exportFolder);
  const events = new EventSearchStore(db);
  const deliveries = new DeliveryViewStore(db);
  const lanes = new LaneViewStore(db, 1_000);
  const marks = new RetentionMarks(db);
  const projections = (destinationId: string, eventIds: readonly string[]) =>
    Projections.read(db, destinationId, eventIds);
  return new ExportRunner({
    store: new ExportWorkStore(db),
    writer: new ExportWriter({
      events,
      deliveries,
      projections,
      lanes,
      marks,
      storage,
      logName: 'waybill.internal',
      ...parts,
    }),
    storages: onlyStorage(storage),
    smallOnly: false,
    keptMs: DAY_MS,
    logger,
    renewEveryMs: 50,
    ...others,
  });
}

/** What a worker has to remove the files of exports. */
export function exportCleanup(api: TestApi, storage: ExportStorage = new LocalFolder(api.exportFolder)): ExportCleanup {
  const storages = onlyStorage(storage);
  return new ExportCleanup({ store: new ExportWorkStore(api.store.db), storages, logger });
}

/** Writes exports, as a worker does, until this one has ended. Returns it. */
export async function writeExport(
  api: TestApi,
  path: string,
  runner: ExportRunner = exportRunner(api),
): Promise<JsonObject> {
  for (;;) {
    await runner.run(turn);
    const { body } = await api.admin.get(path);
    // An export waits for the transactions of all tests on this server.
    if (body.state !== 'pending' && body.state !== 'running') return body;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
