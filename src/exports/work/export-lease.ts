import { setTimeout as sleep } from 'node:timers/promises';
import type { ExportAttempt, ExportProgress } from '../export.js';
import type { ExportWorkStore } from './export-work-store.js';

/** How long an attempt may be silent before another process begins the next one, in milliseconds. */
export const LEASE_MS = 30_000;

/** Interval between renewals, in milliseconds: the most that an attempt continues after a cancellation, about. */
const RENEW_EVERY_MS = 2_000;

/** Keeps the lease of an attempt while the file is written, and records its progress. */
export class ExportLease {
  private readonly over = new AbortController();
  private readonly lost = new AbortController();
  private readonly keeping: Promise<void>;

  /** @param progressOf returns the progress at a renewal, and is called at each one */
  constructor(
    private readonly store: Pick<ExportWorkStore, 'renew'>,
    private readonly attempt: ExportAttempt,
    private readonly progressOf: () => ExportProgress,
    private readonly everyMs: number = RENEW_EVERY_MS,
  ) {
    this.keeping = this.keep();
  }

  /** Aborts when the export was cancelled or deleted, or another process may write it. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /** Ends the renewals. */
  async end(): Promise<void> {
    this.over.abort();
    await this.keeping;
  }

  private async keep(): Promise<void> {
    let renewedAt = performance.now();
    for (;;) {
      await sleep(this.everyMs, undefined, { signal: this.over.signal }).catch(() => undefined);
      if (this.over.signal.aborted) return;
      const begunAt = performance.now();
      const renewed = await this.store.renew(this.attempt, this.progressOf(), LEASE_MS).catch(() => null);
      if (renewed === true) renewedAt = begunAt;
      // While the database is away, the attempt continues until its lease ends.
      if (renewed === false || performance.now() - renewedAt > LEASE_MS) {
        this.lost.abort(new Error('The attempt has lost its export.'));
        return;
      }
    }
  }
}
