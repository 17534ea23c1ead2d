/** What is known about whether this process's worker still gets anywhere. */
export interface LivenessReport {
  readonly alive: boolean;
  /** Milliseconds since the epoch. */
  readonly lastProgressAt: number;
  /** What is wrong, where something is. */
  readonly detail: string | null;
}

/**
 * Whether a worker makes progress, for /livez. It is alive while its clock ticks and none of its attempts is older than an
 * attempt can be. A store or a target that is down does not make it dead: restarting would mend nothing.
 */
export class Liveness {
  readonly #longestTickMs: number;
  readonly #longestAttemptMs: number;
  readonly #attempts = new Map<string, number>();
  #lastTickAt: number;
  #lastProgressAt: number;

  /**
   * @param longestTickMs longest time between two calls of `ticked`, in milliseconds
   * @param longestAttemptMs longest that an attempt can take, settling included, in milliseconds
   */
  constructor(longestTickMs: number, longestAttemptMs: number, now = Date.now()) {
    this.#longestTickMs = longestTickMs;
    this.#longestAttemptMs = longestAttemptMs;
    this.#lastTickAt = now;
    this.#lastProgressAt = now;
  }

  /** The worker's regular clock ran. */
  ticked(now = Date.now()): void {
    this.#lastTickAt = now;
    if (this.#attempts.size === 0) this.#lastProgressAt = now;
  }

  /** An attempt began. */
  began(token: string, now = Date.now()): void {
    this.#attempts.set(token, now);
  }

  /** The attempt is over, however it went. */
  ended(token: string, now = Date.now()): void {
    this.#attempts.delete(token);
    this.#lastProgressAt = now;
  }

  report(now = Date.now()): LivenessReport {
    const [oldest] = this.#attempts.values();
    const stuck = oldest !== undefined && now - oldest > this.#longestAttemptMs;
    const stopped = now - this.#lastTickAt > this.#longestTickMs;
    const detail = stuck ? 'an attempt does not end' : stopped ? 'the worker’s clock does not tick' : null;
    return { alive: detail === null, lastProgressAt: this.#lastProgressAt, detail };
  }
}
