import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigurationReader } from './configuration-reader.js';
import type { Cursor } from './cursor.js';

/**
 * Interval between queries of a waiting request, in milliseconds. A notification of each change would serialise the
 * commits of all writers.
 */
const POLL_MS = 1_000;

/** Waits for changes of the configuration. */
export class ChangeWait {
  /** @param stopped aborts when nobody waits any more */
  constructor(
    private readonly reader: Pick<ConfigurationReader, 'hasChanges'>,
    private readonly stopped: AbortSignal,
  ) {}

  /** Resolves when there is a change after the cursor, after `waitMs`, or when `stopped` aborts. */
  async forChange(after: Cursor, waitMs: number): Promise<void> {
    const end = performance.now() + waitMs;
    for (;;) {
      const left = end - performance.now();
      if (left <= 0 || this.stopped.aborted) return;
      await sleep(Math.min(POLL_MS, left), undefined, { signal: this.stopped }).catch(() => {});
      if (this.stopped.aborted || (await this.reader.hasChanges(after))) return;
    }
  }
}
