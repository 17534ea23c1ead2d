interface Ask {
  readonly bytes: number;
  readonly granted: () => void;
}

/** Bytes that several may hold together. Who asks for more than is left waits for what the others give back. */
export class WeightedSemaphore {
  private readonly holding = new Set<Ask>();
  /** In the order in which they have asked. */
  private readonly waiting = new Set<Ask>();
  private held = 0;

  /** @param most bytes that may be held at once */
  constructor(private readonly most: number) {}

  /**
   * Asks for so many bytes. What waits is granted in the order in which it was asked for, except that what fits goes ahead of
   * what does not: more than there are in all is never granted.
   * @param granted called once when they are there: before this returns, later, or never
   * @returns gives the bytes back, or takes the question back where they were not granted; to be called once
   */
  ask(bytes: number, granted: () => void): () => void {
    const ask = { bytes, granted };
    this.waiting.add(ask);
    this.grant();
    return () => {
      this.waiting.delete(ask);
      if (!this.holding.delete(ask)) return;
      this.held -= bytes;
      this.grant();
    };
  }

  private grant(): void {
    for (const ask of this.waiting) {
      if (this.held + ask.bytes > this.most) continue;
      this.waiting.delete(ask);
      this.holding.add(ask);
      this.held += ask.bytes;
      ask.granted();
    }
  }
}
