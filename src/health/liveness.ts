import { tokenOf } from '../lifecycle/provide.js';

/** An attempt or a maintenance turn under way. */
interface Activity {
  readonly name: string;
  /** Longest time without progress, in milliseconds. */
  readonly limitMs: number;
  progressedAt: number;
}

/**
 * Whether a worker makes progress, for /livez. It does while its timer fires, its loops run, and no attempt or
 * maintenance turn exceeds its limit. A store or a target that is down does not count: a restart would not repair it.
 * Times are those of a clock that is never set, in milliseconds.
 */
export class Liveness {
  private readonly activities = new Map<string, Activity>();
  private readonly loops = new Map<string, number>();
  private lastTickAt: number;

  /**
   * @param maxTickMs longest time between two calls of `ticked`, in milliseconds
   * @param maxAttemptMs longest time that an attempt can take, settlement included, in milliseconds
   */
  constructor(
    private readonly maxTickMs: number,
    private readonly maxAttemptMs: number,
    now = performance.now(),
  ) {
    this.lastTickAt = now;
  }

  /** Records that the worker's timer fired. */
  ticked(now = performance.now()): void {
    this.lastTickAt = now;
  }

  /** Records that an attempt started. */
  attemptStarted(token: string, now = performance.now()): void {
    this.activities.set(token, { name: 'a delivery attempt', limitMs: this.maxAttemptMs, progressedAt: now });
  }

  /**
   * Records that a maintenance turn started.
   * @param limitMs longest time between two calls of `progressed`, in milliseconds
   */
  taskStarted(task: string, limitMs: number, now = performance.now()): void {
    this.activities.set(task, { name: `the maintenance task ${task}`, limitMs, progressedAt: now });
  }

  /** Records that a maintenance turn made progress. */
  progressed(task: string, now = performance.now()): void {
    const activity = this.activities.get(task);
    if (activity) activity.progressedAt = now;
  }

  /** Records that an attempt or a maintenance turn ended, with or without success. */
  finished(key: string): void {
    this.activities.delete(key);
  }

  /**
   * Records that a loop runs which has to run as long as the process does. It may pause for as long as the timer may.
   */
  loopRuns(loop: string, now = performance.now()): void {
    this.loops.set(loop, now);
  }

  /** Returns what makes no progress; null when the worker is alive. */
  stallReason(now = performance.now()): string | null {
    return this.stopped(now) ?? this.stuck(now);
  }

  private stopped(now: number): string | null {
    if (now - this.lastTickAt > this.maxTickMs) return 'the worker’s timer does not fire';
    const stopped = [...this.loops].find(([, seenAt]) => now - seenAt > this.maxTickMs);
    return stopped ? `${stopped[0]} has stopped` : null;
  }

  private stuck(now: number): string | null {
    const stuck = [...this.activities.values()].find(({ progressedAt, limitMs }) => now - progressedAt > limitMs);
    return stuck ? `${stuck.name} does not end` : null;
  }
}

/** The injection token of the worker's `Liveness`; null where this process has no worker. */
export const WORKER_LIVENESS = tokenOf<Liveness | null>('WorkerLiveness');
