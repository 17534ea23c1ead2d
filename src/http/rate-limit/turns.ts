/** Most lookups that wait for one network, and for all networks. */
const LONGEST_QUEUE = 1_000;
const MOST_WAITING = 10_000;
/** Most lookups that run at once, each for another network: a fraction of the database connections. */
const MOST_RUNNING = 4;
/** Longest wait, in milliseconds. Lookups take that long only while the database does not respond. */
const LONGEST_WAIT_MS = 10_000;

/** Ends a turn. Call it once. */
export type EndTurn = () => void;

interface Waiter {
  readonly since: number;
  readonly begin: (turn: EndTurn | null) => void;
}

/**
 * Gives each network one turn at a time, and few networks a turn at once. Networks take turns, so that none of them
 * holds back the others. The number of waiting calls is bounded.
 */
export class Turns {
  /** What waits, by network. The networks are in the order of their next turn. */
  private readonly queues = new Map<string, Waiter[]>();
  private readonly running = new Set<string>();
  private waiting = 0;

  /**
   * @param now returns milliseconds of a monotonic clock
   * @param mostRunning most turns at once, each of another network
   */
  constructor(
    private readonly now: () => number,
    private readonly mostRunning: number = MOST_RUNNING,
  ) {}

  /** Waits for a turn. Returns null when too many calls wait, or after too long a wait. */
  async take(network: string): Promise<EndTurn | null> {
    const queue = this.queues.get(network) ?? [];
    if (queue.length >= LONGEST_QUEUE || this.waiting >= MOST_WAITING) return null;
    return new Promise((begin) => {
      queue.push({ since: this.now(), begin });
      this.queues.set(network, queue);
      this.waiting += 1;
      this.advance();
    });
  }

  private advance(): void {
    while (this.running.size < this.mostRunning) {
      const network = this.nextNetwork();
      if (network === undefined) return;
      const waiter = this.shift(network);
      if (waiter && this.now() - waiter.since > LONGEST_WAIT_MS) {
        waiter.begin(null);
        continue;
      }
      this.running.add(network);
      waiter?.begin(() => {
        this.running.delete(network);
        this.advance();
      });
    }
  }

  private nextNetwork(): string | undefined {
    for (const network of this.queues.keys()) if (!this.running.has(network)) return network;
    return undefined;
  }

  /** Takes the first waiter of a network, which is then queued after the other networks. */
  private shift(network: string): Waiter | undefined {
    const queue = this.queues.get(network) ?? [];
    const waiter = queue.shift();
    this.queues.delete(network);
    if (queue.length > 0) this.queues.set(network, queue);
    this.waiting -= 1;
    return waiter;
  }
}
