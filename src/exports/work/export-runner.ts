import type { RawBuilder } from 'kysely';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { ExportFailure } from '../export-failure.js';
import {
  fileOf,
  filesUpTo,
  type Export,
  type ExportError,
  type ExportManifest,
  type ExportProgress,
} from '../export.js';
import { StorageError } from '../storage/export-storage.js';
import type { ExportStorages } from '../storage/export-storages.js';
import { ExportLease, LEASE_MS } from './export-lease.js';
import { hasBegunExports, hasUnwrittenExports, type ExportWorkStore } from './export-work-store.js';
import type { ExportWriter } from './export-writer.js';

/**
 * Pages after which an export is large: 100,000 events, or 4 million that are read to find fewer. Finding
 * this out takes some seconds. The other task then writes the export from the beginning.
 */
const SMALL_PAGES = 400;
/** Most attempts at an export: one that ends its process each time must not do so without a limit. */
const MOST_ATTEMPTS = 20;
/** Wait after an attempt that failed without a fault of the storage, in milliseconds. */
const RETRY_MS = 10_000;

/** Dependencies of ExportRunner. */
export interface ExportRunnerParts {
  readonly store: ExportWorkStore;
  readonly writer: ExportWriter;
  readonly storages: ExportStorages;
  /** Whether to leave out exports that are known to be large: so small ones do not wait for large ones. */
  readonly smallOnly: boolean;
  /** How long files are kept, in milliseconds. */
  readonly keptMs: number;
  readonly logger: Logger;
  /** Interval between renewals of a lease, in milliseconds; absent: the usual one. */
  readonly renewEveryMs?: number;
  /** Pages after which an export is large; absent: the usual number. */
  readonly smallPages?: number;
}

/**
 * Writes the files of exports, one at a time. A turn lasts as long as there are exports to write, and other workers
 * have turns in that time: each of them writes some, because each export is leased by one.
 */
export class ExportRunner implements MaintenanceTask {
  readonly name: string;
  /** The most that an export begins late, in milliseconds. */
  readonly intervalMs = 1_000;
  readonly hasWork: RawBuilder<boolean>;
  private readonly warnings: ThrottledLog;

  constructor(private readonly parts: ExportRunnerParts) {
    this.name = parts.smallOnly ? 'small_exports' : 'exports';
    // The other task takes the first export, which may be large. This task has work only after an attempt has begun.
    this.hasWork = parts.smallOnly ? hasBegunExports : hasUnwrittenExports;
    this.warnings = new ThrottledLog(parts.logger);
  }

  /** Writes every export that can be written, and ends when none is left. Ends early when `stopped` aborts. */
  async run(control: TurnControl): Promise<void> {
    for (let more = true; more && !control.stopped.aborted;) more = await this.writeNext(control);
  }

  /** Makes one attempt at the next export. Returns whether there was one. */
  private async writeNext(control: TurnControl): Promise<boolean> {
    const { store, storages, smallOnly } = this.parts;
    const one = await store.claim({ leaseMs: LEASE_MS, storage: storages.current.name, smallOnly });
    if (!one) return false;
    if (one.attempt > MOST_ATTEMPTS) {
      await this.fail(one, { code: 'interrupted', message: `The export was interrupted ${MOST_ATTEMPTS} times.` });
      return true;
    }
    await this.attempt(one, control);
    return true;
  }

  private async attempt(one: Export, { stopped, progressed }: TurnControl): Promise<void> {
    let progress: ExportProgress = { events: 0, bytes: 0, reached_at: null };
    let pages = 0;
    const large = new AbortController();
    const { store, writer, smallOnly, renewEveryMs, smallPages = SMALL_PAGES } = this.parts;
    const progressOf = (): ExportProgress => {
      progressed();
      return progress;
    };
    const lease = new ExportLease(store, one, progressOf, renewEveryMs);
    try {
      const signal = AbortSignal.any([stopped, lease.signal, large.signal]);
      await this.removeEarlier(one, signal);
      const report = (reached: ExportProgress): void => {
        progress = reached;
        pages += 1;
        if (smallOnly && pages > smallPages) large.abort(new Error('The export is large.'));
      };
      await this.finish(one, await writer.write(one, { signal, report }), stopped);
    } catch (error) {
      // Awaited before the lease is given back: a late renewal would take it again.
      await lease.end();
      if (lease.signal.aborted) return;
      if (stopped.aborted) await store.release(one, 0);
      else if (error instanceof StorageError || error instanceof ExportFailure)
        await this.fail(one, error, error.cause);
      else if (large.signal.aborted) await store.releaseLarge(one);
      else {
        this.warnings.warn(error, 'an export was interrupted; it begins again', { export: one.id });
        await store.release(one, RETRY_MS);
      }
    } finally {
      await lease.end();
    }
  }

  private async finish(one: Export, manifest: ExportManifest, stopped: AbortSignal): Promise<void> {
    const { store, storages, keptMs, logger } = this.parts;
    if (!(await store.complete(one, manifest, keptMs))) {
      await storages.current.remove([fileOf(one)], stopped);
      return;
    }
    logger.info(
      { export: one.id, account_id: one.account_id, events: manifest.count, bytes: manifest.file.bytes },
      'an export is complete',
    );
  }

  private async fail(one: Export, { code, message }: ExportError, cause?: unknown): Promise<void> {
    if (!(await this.parts.store.fail(one, { code, message }))) return;
    // Not the whole error: that of a vendor's client has the request.
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : message;
    this.parts.logger.warn({ export: one.id, account_id: one.account_id, code, reason }, 'an export failed');
  }

  /** Removes what killed processes have left. The cleanup tries it again in an earlier storage that fails. */
  private async removeEarlier(one: Export, signal: AbortSignal): Promise<void> {
    if (one.attempt === 1) return;
    const { storages } = this.parts;
    const names = filesUpTo({ ...one, attempt: one.attempt - 1 });
    for (const storage of storages.of(one)) {
      try {
        await storage.remove(names, signal);
      } catch (error) {
        if (storage === storages.current || !(error instanceof StorageError)) throw error;
        this.warnings.warn(error, 'an earlier storage of an export fails; the cleanup tries again', { export: one.id });
      }
    }
  }
}
