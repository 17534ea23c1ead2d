import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { filesUpTo, type Export } from '../export.js';
import { StorageError, type ExportStorage } from '../storage/export-storage.js';
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

/** What one turn of the cleanup has. */
interface CleanupTurn extends TurnControl {
  /** Names of storages that could not be reached, with the error: they are asked again in the next turn. */
  readonly unavailable: Map<string, StorageError>;
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
  async run(control: TurnControl): Promise<number> {
    const { store, logger } = this.parts;
    const turn: CleanupTurn = { ...control, unavailable: new Map() };
    await store.expire();
    const removed = await this.cleanUp(
      () => store.withoutUse(),
      (id) => store.filesRemoved(id),
      turn,
    );
    // Once more: a process that was paused for longer than its lease may have written since.
    await this.cleanUp(
      () => store.ended(SHOWN_MS),
      (id) => store.forget(id),
      turn,
    );
    if (removed > 0) logger.info({ exports: removed }, 'removed the files of exports');
    return removed;
  }

  /** Removes the files of exports until no page has one that was not tried. Returns of how many. */
  private async cleanUp(
    page: () => Promise<readonly Export[]>,
    removed: (id: string) => Promise<void>,
    turn: CleanupTurn,
  ): Promise<number> {
    let count = 0;
    const failed = new Set<string>();
    for (let exports = await page(); exports.length > 0; exports = await page()) {
      for (const one of exports) {
        // The turn has taken so long that it is due again. The next turn begins with what has expired by then.
        if (failed.has(one.id)) return count;
        const isRemoved = await this.removeFiles(one, turn);
        if (turn.stopped.aborted) return count;
        await (isRemoved ? removed(one.id) : this.parts.store.removeLater(one.id));
        if (isRemoved) count += 1;
        else failed.add(one.id);
        // Also after a failure: a storage that is silent takes minutes.
        turn.progressed();
      }
    }
    return count;
  }

  /** Returns whether the files of an export are removed. When one storage fails, the others are asked. */
  private async removeFiles(one: Export, turn: CleanupTurn): Promise<boolean> {
    try {
      const removals = this.parts.storages.of(one).map((storage) => removeFrom(storage, one, turn));
      const failed = (await Promise.allSettled(removals)).find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      return true;
    } catch (error) {
      if (!turn.stopped.aborted)
        this.warnings.warn(error, 'the files of an export could not be removed; trying again', { export: one.id });
      return false;
    }
  }
}

/** @throws what the storage throws, or has thrown in this turn when it could not be reached */
async function removeFrom(storage: ExportStorage, one: Export, { stopped, unavailable }: CleanupTurn): Promise<void> {
  const earlier = unavailable.get(storage.name);
  if (earlier) throw earlier;
  try {
    await storage.remove(filesUpTo(one), stopped);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'storage_unavailable') unavailable.set(storage.name, error);
    throw error;
  }
}
