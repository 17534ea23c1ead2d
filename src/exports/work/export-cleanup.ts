import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { filesUpTo, type Export } from '../export.js';
import type { ExportStorages } from '../storage/export-storages.js';
import type { ExportWorkStore } from './export-work-store.js';

/** How long the API shows an export after its file was removed, in milliseconds. */
const SHOWN_MS = 30 * 86_400_000;

/** Dependencies of ExportCleanup. */
export interface ExportCleanupParts {
  readonly store: ExportWorkStore;
  readonly storages: ExportStorages;
  readonly logger: Logger;
}

/**
 * Removes the files of exports that failed, expired, or were cancelled or deleted. The database says which files may
 * exist, so a crash between two steps leaves none behind: the next turn removes them. Files of no export are not
 * touched.
 */
export class ExportCleanup implements MaintenanceTask {
  readonly name = 'export_cleanup';
  readonly intervalMs = 30_000;
  private readonly warnings: ThrottledLog;

  constructor(private readonly parts: ExportCleanupParts) {
    this.warnings = new ThrottledLog(parts.logger);
  }

  /** Runs one turn. Ends early, without an error, when `stopped` aborts. Returns how many exports it cleaned up. */
  async run({ stopped, progressed }: TurnControl): Promise<number> {
    const { store } = this.parts;
    await store.expire();
    let removed = 0;
    for (const one of await store.withoutUse()) {
      if (stopped.aborted) return removed;
      if (await this.removeFiles(one, stopped)) {
        await store.filesRemoved(one.id);
        removed += 1;
      }
      // Also after a failure: a storage that is silent takes minutes for each export.
      progressed();
    }
    for (const one of await store.ended(SHOWN_MS)) {
      if (stopped.aborted) return removed;
      // Once more: a process that was paused for longer than its lease may have written since.
      if (await this.removeFiles(one, stopped)) await store.forget(one.id);
      progressed();
    }
    if (removed > 0) this.parts.logger.info({ exports: removed }, 'removed the files of exports');
    return removed;
  }

  private async removeFiles(one: Export, stopped: AbortSignal): Promise<boolean> {
    try {
      for (const storage of this.parts.storages.of(one)) await storage.remove(filesUpTo(one), stopped);
      return true;
    } catch (error) {
      if (stopped.aborted) return false;
      this.warnings.warn(error, 'the files of an export could not be removed; trying again', { export: one.id });
      return false;
    }
  }
}
