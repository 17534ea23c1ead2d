/** How many calls form a group, and how many groups run. */
export interface GroupLimits {
  /** Most groups that run at once. */
  readonly groups: number;
  /** Most items of one group. */
  readonly items: number;
  /** Most weight of a group of several items (`GroupRules.weigh`). Without it, any. */
  readonly weight?: number;
  /**
   * How long a group must have run before another one begins beside it, in milliseconds, unless that one is full. So
   * groups are larger. Without it, none waits.
   */
  readonly patienceMs?: number;
}

/** How errors are handled, and which calls join. */
export interface GroupRules<Item> {
  /**
   * Whether an error may be the fault of one item. The halves of a failed group are then run, one after the other, down
   * to single items. After any other error, such as a store that is down, they fail with the error of the group.
   */
  readonly mayBeOfOne: (error: unknown) => boolean;
  /** Calls with an equal key that wait are one call. By default, none are. */
  readonly key?: (item: Item) => unknown;
  /** Returns the weight of an item. By default, it has none. */
  readonly weigh?: (item: Item) => number;
  /**
   * Waits until a group may begin. Calls that arrive during the wait join it.
   * @param first its first item, which is in no other group
   */
  readonly ready?: (first: Item) => Promise<void>;
}

interface Caller<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** An item, with the callers that wait for its result. */
interface Call<Item, Result> {
  readonly item: Item;
  readonly weight: number;
  readonly callers: Caller<Result>[];
}

/**
 * Runs calls in groups. Calls that arrive while groups run form the next group; a call that is alone runs at once.
 * Calls of the same turn of the event loop begin together.
 */
export class Grouped<Item, Result> {
  /** Calls that have not begun, in order of arrival. */
  private readonly waiting = new Map<unknown, Call<Item, Result>>();
  /** Of the calls in `waiting`. */
  private weight = 0;
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
      else {
        const weight = this.rules.weigh?.(item) ?? 0;
        this.weight += weight;
        this.waiting.set(key, { item, weight, callers: [caller] });
      }
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
      this.running += 1;
      const endPatience = this.awaitPatience();
      const group = this.rules.ready ? this.take(1) : this.take(this.limits.items);
      void this.runWhenReady(group).finally(() => {
        endPatience();
        this.running -= 1;
        this.begin();
      });
    }
  }

  private mayBegin(): boolean {
    if (this.running >= this.limits.groups || this.waiting.size === 0) return false;
    const { items, weight = Infinity } = this.limits;
    return this.running === this.passed || this.waiting.size >= items || this.weight >= weight;
  }

  /** Runs a group, with the calls that wait when it is ready. Never rejects. */
  private async runWhenReady(group: readonly Call<Item, Result>[]): Promise<void> {
    const { ready } = this.rules;
    const [first] = group;
    if (!ready || !first) await this.runGroup(group);
    else {
      await ready(first.item);
      await this.runGroup(this.take(this.limits.items, group));
    }
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

  /** Returns a group with the calls that wait, in order, up to the limits. */
  private take(items: number, begun: readonly Call<Item, Result>[] = []): readonly Call<Item, Result>[] {
    const { weight = Infinity } = this.limits;
    const group = [...begun];
    let left = begun.reduce((rest, call) => rest - call.weight, weight);
    for (const [key, call] of this.waiting) {
      if (group.length === items || (group.length > 0 && call.weight > left)) break;
      left -= call.weight;
      this.weight -= call.weight;
      this.waiting.delete(key);
      group.push(call);
    }
    return group;
  }

  /**
   * Runs a group, and its halves when it fails by the fault of an item. Never rejects.
   * @returns an error that is nobody's fault: what follows fails with it
   */
  private async runGroup(group: readonly Call<Item, Result>[]): Promise<{ readonly error: unknown } | null> {
    if (group.length === 0) return null;
    try {
      const results = await this.run(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error(`${results.length} results for ${group.length} items`);
      for (const [index, result] of results.entries()) resolveAll(group[index], result);
      return null;
    } catch (error) {
      const mayBeOfOne = this.rules.mayBeOfOne(error);
      if (group.length > 1 && mayBeOfOne) return this.runHalves(group);
      rejectAll(group, error);
      return mayBeOfOne ? null : { error };
    }
  }

  /** Runs the halves of a failed group one after the other. When the store turns out to be down, the rest fails. */
  private async runHalves(group: readonly Call<Item, Result>[]): Promise<{ readonly error: unknown } | null> {
    const middle = Math.ceil(group.length / 2);
    const failed = await this.runGroup(group.slice(0, middle));
    if (!failed) return this.runGroup(group.slice(middle));
    rejectAll(group.slice(middle), failed.error);
    return failed;
  }
}

function resolveAll<Result>(call: Call<unknown, Result> | undefined, result: Result): void {
  for (const { resolve } of call?.callers ?? []) resolve(result);
}

function rejectAll<Result>(group: readonly Call<unknown, Result>[], error: unknown): void {
  for (const { callers } of group) for (const { reject } of callers) reject(error);
}
