/** How many may use something at once. */
export interface TurnLimit {
  readonly connections: number;
  /** Longest wait for a turn, in milliseconds. */
  readonly waitMs: number;
}

/** Lets a limited number of callers go at once. The others wait in order. */
export class Turns {
  private readonly waiting = new Set<() => void>();
  private taken = 0;

  constructor(private readonly limit: TurnLimit) {}

  /**
   * Takes a turn, to be released by the caller.
   * @throws Error when none is free for too long
   */
  async take(): Promise<void> {
    if (this.taken < this.limit.connections) {
      this.taken += 1;
      return;
    }
    const { waitMs } = this.limit;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(go);
        reject(new Error(`No connection of this share was free for ${waitMs / 1_000} s.`));
      }, waitMs);
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(go);
    });
  }

  /** Releases a turn: the caller that has waited longest goes. */
  release(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
