import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
import { filesOf, filesUpTo, type Export, type ExportError, type ExportProgress } from '../export.js';
import { StorageError, type ExportStorage } from '../storage/export-storage.js';
import { ExportLease, LEASE_MS } from './export-lease.js';
import type { ExportWorkStore } from './export-work-store.js';
import type { ExportWriter } from './export-writer.js';

/** Exports that one process writes at once: a small one does not wait for a large one. */
const AT_ONCE = 2;
/** Most attempts at an export: one that ends its process each time must not do so without a limit. */
const MOST_ATTEMPTS = 20;
/** Wait after an attempt that failed without a fault of the storage, in milliseconds. */
const RETRY_MS = 10_000;
/** Interval between looks for new exports while another one is written, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** Dependencies of ExportRunner. */
export interface ExportRunnerParts {
  readonly store: ExportWorkStore;
  readonly writer: ExportWriter;
  readonly storage: ExportStorage;
  /** How long files are kept, in milliseconds. */
  readonly keptMs: number;
  readonly logger: Logger;
  /** Interval between renewals of a lease, in milliseconds; absent: the usual one. */
  readonly renewEveryMs?: number;
}

/** Writes the files of exports. Any number of processes may do so: each export is leased by one. */
export class ExportRunner {
  private readonly warnings: ThrottledLog;

  constructor(private readonly parts: ExportRunnerParts) {
    this.warnings = new ThrottledLog(parts.logger);
  }

  /** Writes every export that can be written, and ends when none is left. Ends early when `stopped` aborts. */
  async run(control: TurnControl): Promise<void> {
    let busy = 0;
    const slot = async (): Promise<void> => {
      do {
        busy += 1;
        try {
          await this.writeAll(control);
        } finally {
          busy -= 1;
        }
        if (busy > 0) await sleep(LOOK_EVERY_MS, undefined, { signal: control.stopped }).catch(() => undefined);
      } while (busy > 0 && !control.stopped.aborted);
    };
    const slots = await Promise.allSettled(Array.from({ length: AT_ONCE }, slot));
    for (const result of slots) if (result.status === 'rejected') throw result.reason;
  }

  private async writeAll(control: TurnControl): Promise<void> {
    for (let more = true; more && !control.stopped.aborted;) more = await this.writeNext(control);
  }

  /** Makes one attempt at the next export. Returns whether there was one. */
  private async writeNext(control: TurnControl): Promise<boolean> {
    const one = await this.parts.store.claim(LEASE_MS);
    if (!one) return false;
    if (one.attempt > MOST_ATTEMPTS) {
      await this.fail(one, { code: 'interrupted', message: `The export was interrupted ${MOST_ATTEMPTS} times.` });
      return true;
    }
    await this.attempt(one, control);
    return true;
  }

  private async attempt(one: Export, { stopped, progressed }: TurnControl): Promise<void> {
    let progress: ExportProgress = { events: 0, bytes: 0, reachedAt: null };
    const { store, writer, renewEveryMs } = this.parts;
    const progressOf = (): ExportProgress => {
      progressed();
      return progress;
    };
    const lease = new ExportLease(store, one, progressOf, renewEveryMs);
    try {
      await this.removeEarlier(one);
      const signal = AbortSignal.any([stopped, lease.signal]);
      const report = (reached: ExportProgress): void => {
        progress = reached;
      };
      await this.finish(one, await writer.write(one, { signal, report }));
    } catch (error) {
      // Awaited before the lease is given back: a late renewal would take it again.
      await lease.end();
      if (lease.signal.aborted) return;
      if (stopped.aborted) await store.release(one, 0);
      else if (error instanceof StorageError) await this.fail(one, error, error.cause);
      else {
        this.warnings.warn(error, 'an export was interrupted; it begins again', { export: one.id });
        await store.release(one, RETRY_MS);
      }
    } finally {
      await lease.end();
    }
  }

  private async finish(one: Export, manifest: Awaited<ReturnType<ExportWriter['write']>>): Promise<void> {
    const { store, storage, keptMs, logger } = this.parts;
    if (manifest === null) {
      await this.fail(one, { code: 'nothing_to_export', message: 'No event matches the filter.' });
      return;
    }
    if (!(await store.complete(one, manifest, keptMs))) {
      await storage.remove(Object.values<string>({ ...filesOf(one) }));
      return;
    }
    logger.info(
      { export: one.id, account_id: one.accountId, events: manifest.count, bytes: manifest.file.bytes },
      'an export is complete',
    );
  }

  private async fail(one: Export, { code, message }: ExportError, cause?: unknown): Promise<void> {
    if (!(await this.parts.store.fail(one, { code, message }))) return;
    // Not the whole error: that of a vendor's client has the request.
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : message;
    this.parts.logger.warn({ export: one.id, account_id: one.accountId, code, reason }, 'an export failed');
  }

  /** What killed processes have left. */
  private async removeEarlier(one: Export): Promise<void> {
    if (one.attempt > 1) await this.parts.storage.remove(filesUpTo({ ...one, attempt: one.attempt - 1 }));
  }
}
