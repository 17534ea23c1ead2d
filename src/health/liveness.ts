/** What is known about whether this process's worker still gets anywhere. */
export interface LivenessReport {
  readonly alive: boolean;
  /** Milliseconds since the epoch. */
  readonly lastProgressAt: number;
  /** What is wrong, where something is. */
  readonly detail: string | null;
}

/** Something that is under way, and by when it has to get on. */
interface Work {
  readonly what: string;
  readonly longestMs: number;
  progressedAt: number;
}

/**
 * Whether a worker makes progress, for /livez. It is alive while its clock ticks, its loops run, and none of its attempts and turns
 * is older than it can be. A store or a target that is down does not make it dead: restarting would mend nothing.
 */
export class Liveness {
  private readonly work = new Map<string, Work>();
  private readonly loops = new Map<string, number>();
  private lastTickAt: number;
  private progressedAt: number;

  /**
   * @param longestTickMs longest time between two calls of `ticked`, in milliseconds
   * @param longestAttemptMs longest that an attempt can take, settling included, in milliseconds
   */
  constructor(
    private readonly longestTickMs: number,
    private readonly longestAttemptMs: number,
    now = Date.now(),
  ) {
    this.lastTickAt = now;
    this.progressedAt = now;
  }

  /** The worker's regular clock ran. */
  ticked(now = Date.now()): void {
    this.lastTickAt = now;
    if (this.work.size === 0) this.progressedAt = now;
  }

  /** An attempt began. */
  began(token: string, now = Date.now()): void {
    this.work.set(token, { what: 'an attempt', longestMs: this.longestAttemptMs, progressedAt: now });
  }

  /**
   * A turn at a task began.
   * @param longestMs longest that it may go without `progressed`, in milliseconds
   */
  beganTurn(task: string, longestMs: number, now = Date.now()): void {
    this.work.set(task, { what: `a turn of ${task}`, longestMs, progressedAt: now });
  }

  /** A long turn got on. */
  progressed(task: string, now = Date.now()): void {
    const work = this.work.get(task);
    if (work) work.progressedAt = now;
  }

  /** The attempt or turn is over, however it went. */
  ended(token: string, now = Date.now()): void {
    this.work.delete(token);
    this.progressedAt = now;
  }

  /** A loop that has to run as long as the process was seen to run. It may pause for a moment, and not for longer than a tick may. */
  runs(loop: string, now = Date.now()): void {
    this.loops.set(loop, now);
  }

  report(now = Date.now()): LivenessReport {
    const detail = this.stopped(now) ?? this.stuck(now);
    return { alive: detail === null, lastProgressAt: this.progressedAt, detail };
  }

  private stopped(now: number): string | null {
    if (now - this.lastTickAt > this.longestTickMs) return 'the worker’s clock does not tick';
    const ended = [...this.loops].find(([, seenAt]) => now - seenAt > this.longestTickMs);
    return ended ? `${ended[0]} has ended` : null;
  }

  private stuck(now: number): string | null {
    const stuck = [...this.work.values()].find(
      ({ progressedAt, longestMs }) => now - progressedAt > longestMs,
    );
    return stuck ? `${stuck.what} does not end` : null;
  }
}
