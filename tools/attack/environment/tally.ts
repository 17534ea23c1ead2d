/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly hasRetryAfter: boolean;
}

/** Counts the responses to an attack. */
export class Tally {
  private readonly statuses = new Map<number, number>();
  private readonly wrong = new Map<string, number>();
  private cut = 0;

  /** Counts a response. */
  note({ status, hasRetryAfter }: ResponseHead): void {
    add(this.statuses, status);
    if (status >= 500 && status !== 503) add(this.wrong, `responses with ${status}`);
    if ((status === 503 || status === 429) && !hasRetryAfter)
      add(this.wrong, `responses with ${status} and no Retry-After`);
  }

  /** Counts requests whose connection ended, or whose time passed, without a response. */
  noteUnanswered(count = 1): void {
    this.cut += count;
  }

  /** Number of responses and unanswered requests. */
  get requests(): number {
    return Array.from(this.statuses.values()).reduce((sum, count) => sum + count, this.cut);
  }

  /** Number of responses with a status. */
  count(status: number): number {
    return this.statuses.get(status) ?? 0;
  }

  /** Responses that no attack may cause. */
  get faults(): readonly string[] {
    return Array.from(this.wrong, ([what, count]) => `${count} ${what}`);
  }

  /** The counts in a few words: `200 × 12, 429 × 88, none × 3`. */
  get summary(): string {
    const counts = Array.from(this.statuses)
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status} × ${count}`);
    return [...counts, ...(this.cut > 0 ? [`none × ${this.cut}`] : [])].join(', ');
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
