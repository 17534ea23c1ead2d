/** What a look at the outbox shows of its positions. */
export interface SeenPositions {
  /** The oldest transaction that runs, and the first one that has not begun. */
  readonly xmin: bigint;
  readonly xmax: bigint;
  /** Lowest and highest position that was read; null for none. */
  readonly lowest: bigint | null;
  readonly highest: bigint | null;
}

/**
 * The position at which a look begins. Postgres keeps deleted rows for as long as an old snapshot could see them.
 * Without a floor, each look would step over all of them.
 *
 * A position that was assigned before a look belongs to a transaction that ran at that look, or had ended. Once all of
 * these have ended, no further row can appear below it.
 */
export class OutboxFloor {
  private current = 0n;
  private highest = 0n;
  /** Up to here, positions are final when no transaction below `xmax` runs. */
  private pending: { readonly position: bigint; readonly xmax: bigint } | null = null;

  /** Lowest position that a row can have. */
  get position(): bigint {
    return this.current;
  }

  /** Takes a look into account that began at the floor. */
  saw({ xmin, xmax, lowest, highest }: SeenPositions): void {
    if (highest !== null && highest > this.highest) this.highest = highest;
    if (this.pending && xmin >= this.pending.xmax) {
      const final = this.pending.position + 1n;
      this.current = lowest !== null && lowest < final ? lowest : final;
      this.pending = null;
    }
    this.pending ??= { position: this.highest, xmax };
  }

  /** Begins with the first position again: rows may have come back. */
  rewind(): void {
    this.current = 0n;
    this.highest = 0n;
    this.pending = null;
  }
}
