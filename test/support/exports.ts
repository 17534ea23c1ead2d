import { DeliveryViewStore } from '../../src/delivery/views/delivery-view-store.js';
import { EventSearchStore } from '../../src/events/search/event-search-store.js';
import type { ExportStorage } from '../../src/exports/storage/export-storage.js';
import { LocalFolder } from '../../src/exports/storage/local-folder.js';
import { ExportCleanup } from '../../src/exports/work/export-cleanup.js';
import { ExportRunner } from '../../src/exports/work/export-runner.js';
import { ExportWorkStore } from '../../src/exports/work/export-work-store.js';
import { ExportWriter, type ExportWriterParts } from '../../src/exports/work/export-writer.js';
import { createLogger } from '../../src/logging/logger.js';
import type { JsonObject } from './api-client.js';
import type { TestApi } from './test-api.js';

const DAY_MS = 86_400_000;
const logger = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent');

/** A turn of maintenance that nothing ends. */
export const turn = { stopped: new AbortController().signal, progressed: (): void => undefined };

/** What a worker has to write the exports of an API; `parts` replaces some of it. */
export function exportRunner(api: TestApi, parts: Partial<ExportWriterParts> = {}): ExportRunner {
  const { db } = api.store;
  const storage: ExportStorage = parts.storage ?? new LocalFolder(api.exportFolder);
  const events = new EventSearchStore(db);
  const deliveries = new DeliveryViewStore(db);
  return new ExportRunner({
    store: new ExportWorkStore(db),
    writer: new ExportWriter({ events, deliveries, storage, ...parts }),
    storage,
    keptMs: DAY_MS,
    logger,
    renewEveryMs: 50,
  });
}

/** What a worker has to remove the files of exports. */
export function exportCleanup(api: TestApi, storage: ExportStorage = new LocalFolder(api.exportFolder)): ExportCleanup {
  return new ExportCleanup({ store: new ExportWorkStore(api.store.db), storage, logger });
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
