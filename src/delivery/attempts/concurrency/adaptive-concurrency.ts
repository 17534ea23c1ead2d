import { FailingAdmissions } from './failing-admissions.js';
import type { WeightedSemaphore } from './weighted-semaphore.js';

/** The part of a BullMQ worker whose concurrency is adapted. */
export interface AdjustableWorker {
  concurrency: number;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): Promise<void>;
}

/**
 * Share of the additional slots for jobs of failing destinations. The others are for calls that become slow, so that
 * destinations which stop to respond find slots although others have failed for long.
 */
const FAILING_SHARE = 0.75;

/** A call that takes longer than this is slow: it gets a slot beside the others. In milliseconds. */
const SLOW_AFTER_MS = 1_000;

/**
 * The slots of one worker, of which each of its jobs occupies one: keeps them free for destinations that respond. A
 * slow call waits for the network and costs only memory, but a few destinations that never respond would occupy every
 * slot. So each slow call adds a slot until it ends, as long as the batches of all slow calls together fit their memory
 * budget. A job of a failing destination adds a slot before its call, or does not run: any number of failing
 * destinations leaves the other slots free.
 */
export class AdaptiveConcurrency {
  private slowCalls = 0;
  private failingJobs = 0;
  private occupied = 0;
  private readonly admissions: FailingAdmissions;

  /**
   * @param baseSlots slots for calls that are not slow
   * @param maxSlots most slots: it bounds the calls under way
   * @param slowBytes bytes that the batches of slow calls may hold, of all workers that share it
   * @param longestCallMs how long a call lasts at most, in milliseconds
   */
  constructor(
    private readonly worker: AdjustableWorker,
    private readonly baseSlots: number,
    private readonly maxSlots: number,
    private readonly slowBytes: WeightedSemaphore,
    longestCallMs: number,
  ) {
    const most = Math.max(1, Math.floor((maxSlots - baseSlots) * FAILING_SHARE));
    this.admissions = new FailingAdmissions({ most, longestMs: longestCallMs });
  }

  /** Whether the worker would take another job at once. */
  get hasFree(): boolean {
    return this.occupied < this.worker.concurrency;
  }

  /** Occupies a slot for a job. Returns the function that releases it. */
  occupy(): () => void {
    this.occupied += 1;
    return () => {
      this.occupied -= 1;
    };
  }

  /**
   * Reports a slow call whose batch holds so many bytes. While the budget is exhausted, it adds no slot.
   * @returns the function that reports its end
   */
  reportSlow(bytes: number): () => void {
    let added = 0;
    const release = this.slowBytes.acquire(bytes, () => {
      added = 1;
      this.slowCalls += 1;
      this.adjust();
    });
    return () => {
      this.slowCalls -= added;
      // Before the adjustment: the released bytes may be granted to another slow call of this worker, which keeps the
      // slot.
      release();
      this.adjust();
    };
  }

  /** Whether the job of a failing destination could be admitted now. */
  get admitsFailing(): boolean {
    return this.admissions.isOpen;
  }

  /**
   * Admits the job of a failing destination, whose batch holds so many bytes, and adds a slot for it.
   * @returns the function that reports its end; null when the job must not run now
   */
  admitFailing(bytes: number): (() => void) | null {
    if (!this.admissions.isOpen) return null;
    const release = this.slowBytes.tryAcquire(bytes);
    if (!release) return null;
    const end = this.admissions.admit();
    this.failingJobs += 1;
    this.adjust();
    return () => {
      this.failingJobs -= 1;
      end();
      release();
      this.adjust();
    };
  }

  /** Returns how long the job of a failing destination should wait now, in milliseconds. */
  failingWaitMs(): number {
    return this.admissions.waitMs();
  }

  /** Reports that such a job waits so long. */
  failingRefused(ms: number): void {
    this.admissions.refused(ms);
  }

  private adjust(): void {
    const before = this.worker.concurrency;
    const slots = Math.min(this.baseSlots + this.slowCalls + this.failingJobs, this.maxSlots);
    if (slots === before) return;
    this.worker.concurrency = slots;
    // With every slot occupied, BullMQ reads its concurrency only when a job ends. Resuming makes it read it at once.
    if (slots > before) void this.worker.pause(true).then(() => this.worker.resume());
  }
}

/**
 * Makes a call in an occupied slot, and reports it when it is slow.
 * @param bytes what its batch holds
 */
export async function runInSlot<T>(slots: AdaptiveConcurrency, bytes: number, call: () => Promise<T>): Promise<T> {
  let reportEnd: (() => void) | undefined;
  const timer = setTimeout(() => {
    reportEnd = slots.reportSlow(bytes);
  }, SLOW_AFTER_MS);
  try {
    return await call();
  } finally {
    clearTimeout(timer);
    reportEnd?.();
  }
}
