/** A name lets those go first whose calls took less than its own by this factor. */
const MUCH_MORE = 8;

/** A name with less use than this lets nobody go first, in milliseconds. */
const LITTLE_MS = 100;

/** Longest time between two calls of a name that lets others go first, in milliseconds. */
const LONGEST_MS = 10;

/** After this time, what a call took counts half, in milliseconds. */
const HALF_LIFE_MS = 1_000;

/** How often names are forgotten, and after how long without a call, in milliseconds. */
const FORGET_MS = 10_000;

/** The calls of one name. */
interface Use {
  /** What its calls took until `countedAt`, in milliseconds. What is long ago counts less. */
  taken: number;
  countedAt: number;
  running: number;
  begunAt: number;
}

/**
 * Decides which names let others go first: while a call of a name with little use is in progress, names with much use
 * begin few calls. So a neighbour that sends few requests finds an idle process, whatever the others send.
 */
export class Precedence {
  private readonly uses = new Map<string, Use>();
  private readonly running = new Set<Use>();
  private readonly waiters: (() => void)[] = [];
  private forgottenAt = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Adds a function that is called when a name that had to wait may have to wait no longer. */
  onFree(advance: () => void): void {
    this.waiters.push(advance);
  }

  /** Counts a call from now on, until `end`. */
  begin(name: string): void {
    const now = this.now();
    if (now - this.forgottenAt >= FORGET_MS) this.forget(now);
    let use = this.uses.get(name);
    if (!use) {
      use = { taken: 0, countedAt: now, running: 0, begunAt: now };
      this.uses.set(name, use);
    }
    count(use, now);
    use.running += 1;
    use.begunAt = now;
    this.running.add(use);
  }

  end(name: string): void {
    const use = this.uses.get(name);
    if (!use) return;
    count(use, this.now());
    use.running -= 1;
    if (use.running > 0) return;
    this.running.delete(use);
    if (this.timer !== undefined) this.free();
  }

  /** Whether a name must not begin a call now. */
  mustWait(name: string): boolean {
    const use = this.uses.get(name);
    if (!use || this.running.size === 0) return false;
    const now = this.now();
    const left = use.begunAt + LONGEST_MS - now;
    if (left <= 0) return false;
    count(use, now);
    if (use.taken < LITTLE_MS) return false;
    for (const other of this.running) {
      if (other === use) continue;
      count(other, now);
      if (other.taken * MUCH_MORE >= use.taken) continue;
      this.timer ??= setTimeout(() => this.free(), left);
      return true;
    }
    return false;
  }

  private free(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    // Each time another one is the first: a name that may begin one call begins it there.
    this.waiters.push(...this.waiters.splice(0, 1));
    for (const advance of this.waiters) advance();
  }

  private forget(now: number): void {
    this.forgottenAt = now;
    for (const [name, use] of this.uses) {
      if (use.running === 0 && now - use.begunAt >= FORGET_MS) this.uses.delete(name);
    }
  }
}

/** Adds what the running calls of a name took since the last time. */
function count(use: Use, now: number): void {
  const elapsed = now - use.countedAt;
  if (elapsed <= 0) return;
  use.taken = use.taken * 2 ** (-elapsed / HALF_LIFE_MS) + use.running * elapsed;
  use.countedAt = now;
}
