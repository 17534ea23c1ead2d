/** How many calls form a group, and how many groups run. */
export interface GroupLimits {
  /** Most groups that run at once. */
  readonly groups: number;
  /** Most items of one group. */
  readonly items: number;
  /**
   * How long a group must have run before another one begins beside it, in milliseconds, unless that one is full. So
   * groups are larger. Without it, none waits.
   */
  readonly patienceMs?: number;
}

/** How errors are handled, and which calls join. */
export interface GroupRules<Item> {
  /**
   * Whether an error may be the fault of one item. The items of a failed group are then run alone, one after the other.
   * After any other error, such as a store that is down, they fail with the error of the group.
   */
  readonly mayBeOfOne: (error: unknown) => boolean;
  /** Calls with an equal key that wait are one call. By default, none are. */
  readonly key?: (item: Item) => unknown;
}

interface Caller<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** An item, with the callers that wait for its result. */
interface Call<Item, Result> {
  readonly item: Item;
  readonly callers: Caller<Result>[];
}

/**
 * Runs calls in groups. Calls that arrive while groups run form the next group; a call that is alone runs at once.
 * Calls of the same turn of the event loop begin together.
 */
export class Grouped<Item, Result> {
  /** Calls that have not begun, in order of arrival. */
  private readonly waiting = new Map<unknown, Call<Item, Result>>();
  private running = 0;
  /** Running groups that others need not wait for. */
  private passed = 0;
  private isScheduled = false;

  /** @param run returns one result for each item, in order */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: GroupLimits,
    private readonly rules: GroupRules<Item>,
  ) {}

  /**
   * Runs an item in the next group that begins.
   * @throws what `run` throws for the item alone, or for its group
   */
  async call(item: Item): Promise<Result> {
    const key = this.rules.key ? this.rules.key(item) : Symbol('call');
    return new Promise((resolve, reject) => {
      const caller = { resolve, reject };
      const joined = this.waiting.get(key);
      if (joined) joined.callers.push(caller);
      else this.waiting.set(key, { item, callers: [caller] });
      this.beginSoon();
    });
  }

  private beginSoon(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.begin();
    });
  }

  private begin(): void {
    while (this.mayBegin()) {
      const group = this.take();
      this.running += 1;
      const endPatience = this.awaitPatience();
      void this.runGroup(group).finally(() => {
        endPatience();
        this.running -= 1;
        this.begin();
      });
    }
  }

  private mayBegin(): boolean {
    if (this.running >= this.limits.groups || this.waiting.size === 0) return false;
    return this.running === this.passed || this.waiting.size >= this.limits.items;
  }

  /** Lets others pass a group that begins, after the patience. Returns the function that reports its end. */
  private awaitPatience(): () => void {
    const { patienceMs } = this.limits;
    if (patienceMs === undefined) {
      this.passed += 1;
      return () => {
        this.passed -= 1;
      };
    }
    let passed = 0;
    const timer = setTimeout(() => {
      passed = 1;
      this.passed += 1;
      this.begin();
    }, patienceMs);
    return () => {
      clearTimeout(timer);
      this.passed -= passed;
    };
  }

  private take(): readonly Call<Item, Result>[] {
    const group: Call<Item, Result>[] = [];
    for (const [key, call] of this.waiting) {
      if (group.length === this.limits.items) break;
      this.waiting.delete(key);
      group.push(call);
    }
    return group;
  }

  /** Never rejects. */
  private async runGroup(group: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error(`${results.length} results for ${group.length} items`);
      for (const [index, result] of results.entries()) resolveAll(group[index], result);
    } catch (error) {
      if (group.length > 1 && this.rules.mayBeOfOne(error)) await this.runAlone(group);
      else rejectAll(group, error);
    }
  }

  /** Runs the items of a failed group one after the other. When the store turns out to be down, the rest fails. */
  private async runAlone(group: readonly Call<Item, Result>[]): Promise<void> {
    for (const [index, call] of group.entries()) {
      try {
        const [result, ...others] = await this.run([call.item]);
        if (result === undefined || others.length > 0) throw new Error('no single result for a single item');
        resolveAll(call, result);
      } catch (error) {
        rejectAll([call], error);
        if (this.rules.mayBeOfOne(error)) continue;
        rejectAll(group.slice(index + 1), error);
        return;
      }
    }
  }
}

function resolveAll<Result>(call: Call<unknown, Result> | undefined, result: Result): void {
  for (const { resolve } of call?.callers ?? []) resolve(result);
}

function rejectAll<Result>(group: readonly Call<unknown, Result>[], error: unknown): void {
  for (const { callers } of group) for (const { reject } of callers) reject(error);
}
