import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { isHigher, nothingKnown, type NumberMark, type Witness } from './witness.js';

/** How often marks are written, in milliseconds: a delivery costs one entry of a map, not a round trip. */
const INTERVAL_MS = 1_000;

/** Share of the time that writing may take: a witness in a large file is written less often. */
const MAX_SHARE = 0.05;

/** Longest pause between two writes: on a slow disk, a restore after an older copy would show no sign for longer. */
const MAX_PAUSE_MS = 5_000;

/** Collects the recorded numbers of this process and writes them to the witness. */
export class WitnessLog {
  private marks = new Map<string, NumberMark>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private closed = false;
  private readonly errors: ThrottledLog;

  /** @param witness null: nothing is collected */
  constructor(
    private readonly witness: Witness | null,
    logger: Logger,
  ) {
    this.errors = new ThrottledLog(logger);
  }

  /** Notes a number of a lane that is on record in the database. */
  note(destinationId: string, mark: NumberMark): void {
    if (!this.witness) return;
    const known = this.marks.get(destinationId);
    if (known && !isHigher(mark, known)) return;
    this.marks.set(destinationId, mark);
    this.schedule(INTERVAL_MS);
  }

  private schedule(delayMs: number): void {
    if (this.closed) return;
    this.timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }

  /** Writes what was noted. Never throws: marks that could not be written are written later. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    // Until the write ends, `note` starts no other timer.
    const begun = performance.now();
    this.writing = this.writing.then(() => this.write());
    await this.writing;
    this.timer = undefined;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(INTERVAL_MS, (performance.now() - begun) / MAX_SHARE));
    if (this.marks.size > 0) this.schedule(pauseMs);
  }

  private async write(): Promise<void> {
    if (!this.witness || this.marks.size === 0) return;
    const marks = this.marks;
    this.marks = new Map();
    try {
      await this.witness.add({ ...nothingKnown, lanes: marks });
    } catch (error) {
      for (const [id, mark] of marks) {
        const newer = this.marks.get(id);
        if (!newer || isHigher(mark, newer)) this.marks.set(id, mark);
      }
      this.errors.warn(error, 'cannot write numbers to the witness; they are written later', { lanes: marks.size });
    }
  }

  /** Writes the last marks and starts no more writes. */
  async close(): Promise<void> {
    this.closed = true;
    await this.flush();
  }
}
