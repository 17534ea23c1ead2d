interface Acquisition {
  readonly weight: number;
  readonly onGranted: () => void;
}

/** A semaphore whose holders share a capacity, each with a weight of its own. */
export class WeightedSemaphore {
  private readonly holders = new Set<Acquisition>();
  /** In the order of their calls of `acquire`. */
  private readonly waiting = new Set<Acquisition>();
  private held = 0;

  /** @param capacity most weight that is held at once */
  constructor(private readonly capacity: number) {}

  /**
   * Acquires a weight. Waiting acquisitions are granted in order, except that one which fits passes those which do not:
   * a weight above the capacity is never granted.
   * @param onGranted called once when the weight is acquired: before this returns, later, or never
   * @returns releases the weight, or withdraws an acquisition that was not granted; to be called once
   */
  acquire(weight: number, onGranted: () => void): () => void {
    const acquisition = { weight, onGranted };
    this.waiting.add(acquisition);
    this.grant();
    return () => {
      this.waiting.delete(acquisition);
      if (!this.holders.delete(acquisition)) return;
      this.held -= weight;
      this.grant();
    };
  }

  /**
   * Acquires a weight that fits at this moment.
   * @returns releases the weight, to be called once; null when the weight does not fit
   */
  tryAcquire(weight: number): (() => void) | null {
    if (this.held + weight > this.capacity) return null;
    return this.acquire(weight, () => {});
  }

  private grant(): void {
    for (const acquisition of this.waiting) {
      if (this.held + acquisition.weight > this.capacity) continue;
      this.waiting.delete(acquisition);
      this.holders.add(acquisition);
      this.held += acquisition.weight;
      acquisition.onGranted();
    }
  }
}
