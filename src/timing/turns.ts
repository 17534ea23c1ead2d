import type { Precedence } from './precedence.js';

/** How many turns one name of a level has at once, as a part of those of the level above. */
export interface LevelShare {
  /** While no other name of the level was seen in the last second. */
  readonly alone: number;
  /** While others were. */
  readonly among: number;
}

/** What `Turns` allows. A level has a name for each of its callers: an account, or a principal of an account. */
export interface TurnLimits {
  /** Turns that are taken at once, of all callers. */
  readonly turns: number;
  /** The shares of one name, by level: of the first name of a path, of the second one, and so on. */
  readonly shares?: readonly LevelShare[];
  /** Most weight that waits: of all callers, then of one name of each level. Default: no limit. */
  readonly waiting?: readonly number[];
  /**
   * Most weight that is kept (`Turn.keep`), as `waiting`. Who reaches it begins no further call until less is kept.
   * Calls that have begun continue: they keep the weight until they have ended. A name that keeps nothing, and has no
   * turn, begins one call even so, until the names above it keep twice as much.
   */
  readonly kept?: readonly number[];
  /** Longest wait for a turn, in milliseconds. */
  readonly waitMs: number;
  /** Which names of the first level let others go first. Default: none. Several `Turns` may share it. */
  readonly precedence?: Precedence;
}

/** Why there is no turn: the level whose limit is reached. 0: that of all callers; 1: that of the first name. */
export interface NoTurn {
  readonly level: number;
}

/** How long a name counts after it was seen last, in milliseconds. */
const SEEN_MS = 1_000;

/** What one name of a level has at the moment, or all callers together. */
class Share {
  taken = 0;
  waiting = 0;
  kept = 0;
  /** Waiters here and below. */
  waiters = 0;
  /** Calls that have not ended, here and below. */
  calls = 0;
  seenAt = 0;
  readonly below = new Map<string, Share>();
  /** The names below that were seen in the last second. */
  readonly recent = new Set<string>();
  readonly queue = new Set<Turn>();
  /** Calls that wait for a further turn. */
  readonly begun = new Set<Turn>();

  constructor(
    readonly above: Share | null,
    readonly name: string,
    readonly level: number,
  ) {}

  get hasNothing(): boolean {
    return this.taken === 0 && this.kept === 0;
  }

  get isBusy(): boolean {
    return this.taken > 0 || this.waiting > 0;
  }
}

/**
 * Gives a limited number of turns. Callers name themselves by a path, such as account and principal. Those who wait are
 * served by turns: first the names of the first level, then the names within one. A name that is alone may have more
 * turns than one among others, so that a neighbour who comes waits for few turns only.
 */
export class Turns {
  private readonly root = new Share(null, '', 0);
  private sweptAt = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(
    private readonly limits: TurnLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.precedence?.onFree(() => this.advance());
  }

  /**
   * Lets a call in, which counts with its weight until it has a turn.
   * @returns its turn, to be begun and ended; the level whose limit of waiting calls is reached
   */
  enter(path: readonly string[], weight = 1): Turn | NoTurn {
    this.sweep();
    let share = this.root;
    for (const name of path) share = this.shareBelow(share, name);
    const { waiting = [] } = this.limits;
    for (let at: Share | null = share; at !== null; at = at.above) {
      if (at.waiting + weight > (waiting[at.level] ?? Infinity)) return { level: at.level };
    }
    return new Turn(this, share, weight);
  }

  /** Waits for a turn. Returns null when too many calls wait, or after too long a wait. */
  async take(path: readonly string[]): Promise<Turn | null> {
    const turn = this.enter(path);
    if (!(turn instanceof Turn)) return null;
    return new Promise((resolve) => {
      turn.begin((refused) => resolve(refused ? null : turn));
    });
  }

  /** Whether a share may take a turn now, at every level: the first one of a call, or a further one. */
  isFree(share: Share, isFirst: boolean): boolean {
    for (let at: Share | null = share, below: Share | null = null; at !== null; below = at, at = at.above)
      if (this.isTaken(at) || (isFirst && this.keepsMost(at, below))) return false;
    return share.begun.size === 0 && (!isFirst || share.queue.size === 0);
  }

  /** Returns the level that keeps a share from a turn. */
  levelOfWait(share: Share): NoTurn {
    for (let at: Share | null = share, below: Share | null = null; at !== null; below = at, at = at.above)
      if (this.isTaken(at) || this.keepsMost(at, below)) return { level: at.level };
    return { level: 0 };
  }

  get waitMs(): number {
    return this.limits.waitMs;
  }

  get precedence(): Precedence | undefined {
    return this.limits.precedence;
  }

  /** Gives the free turns to those who wait. */
  advance(): void {
    for (let turn = this.next(this.root); turn !== undefined; turn = this.next(this.root)) turn.go();
  }

  /** @param mayBegin whether the levels above may begin a call of this share */
  private next(share: Share, mayBegin = true): Turn | undefined {
    if (share.waiters === 0 || this.isTaken(share)) return undefined;
    const mayBeginHere = mayBegin && !this.keepsMost(share, null);
    const [first] = mayBeginHere && share.begun.size === 0 ? share.queue : share.begun;
    if (first) return first;
    for (const below of share.below.values()) {
      const turn = this.next(below, mayBegin && !this.keepsMost(share, below));
      if (turn === undefined) continue;
      // The next turn is one of the others.
      share.below.delete(below.name);
      share.below.set(below.name, below);
      return turn;
    }
    return undefined;
  }

  private isTaken(share: Share): boolean {
    return share.taken >= this.turnsOf(share) || this.letsOthersGo(share);
  }

  private letsOthersGo({ level, name }: Share): boolean {
    return level === 1 && this.precedence !== undefined && this.precedence.mustWait(name);
  }

  /** Whether a share keeps so much that the one below, or a call of its own, may not begin. */
  private keepsMost(share: Share, below: Share | null): boolean {
    return share.kept >= (this.limits.kept?.[share.level] ?? Infinity) * (below?.hasNothing === true ? 2 : 1);
  }

  private turnsOf({ above, level }: Share): number {
    if (above === null) return this.limits.turns;
    const share = this.limits.shares?.[level - 1];
    const part = share ? share[above.recent.size > 1 ? 'among' : 'alone'] : 1;
    return Math.max(1, Math.floor(this.turnsOf(above) * part));
  }

  private shareBelow(above: Share, name: string): Share {
    let share = above.below.get(name);
    if (!share) {
      share = new Share(above, name, above.level + 1);
      above.below.set(name, share);
    }
    share.seenAt = this.now();
    above.recent.add(name);
    return share;
  }

  /**
   * Called when a call begins to wait: a name that others leave alone gets more turns, also when no call enters or
   * ends.
   */
  sweepLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.forget();
      if (this.root.waiters > 0) this.sweepLater();
    }, SEEN_MS).unref();
  }

  private sweep(): void {
    if (this.now() - this.sweptAt >= SEEN_MS) this.forget();
  }

  /** Forgets the names that were not seen for a while. */
  private forget(): void {
    this.sweptAt = this.now();
    forgetBelow(this.root, this.sweptAt - SEEN_MS);
    this.advance();
  }
}

function forgetBelow(share: Share, before: number): void {
  for (const [name, below] of share.below) {
    forgetBelow(below, before);
    if (below.isBusy || below.seenAt >= before) continue;
    share.recent.delete(name);
    if (below.calls === 0) share.below.delete(name);
  }
}

/** The call of one caller. It may take a turn several times, one after the other, until it has ended. */
export class Turn {
  private state: 'entered' | 'waiting' | 'taken' | 'resting' | 'ended' = 'entered';
  private isHeld = false;
  private isLeft = false;
  private kept = 0;
  private begun: (refused: NoTurn | null) => void = () => {};
  private ended: () => void = () => {};
  private timer: NodeJS.Timeout | undefined;

  /** Made by `Turns.enter`. */
  constructor(
    private readonly turns: Turns,
    private readonly share: Share,
    private readonly weight: number,
  ) {
    this.each((at) => {
      at.calls += 1;
      at.waiting += weight;
    });
  }

  /**
   * Takes a turn, and calls `begun` then: at once when one is free. After too long a wait, `begun` gets the level whose
   * limit is reached. It is never called when the call ends before.
   * @param waitMs longest wait, in milliseconds
   */
  begin(begun: (refused: NoTurn | null) => void, waitMs = this.turns.waitMs): void {
    if (this.state === 'ended') return;
    const isFirst = this.state !== 'resting';
    if (this.turns.isFree(this.share, isFirst)) {
      this.occupy();
      begun(null);
      return;
    }
    if (!isFirst) this.each((at) => (at.waiting += this.weight));
    this.state = 'waiting';
    this.begun = begun;
    (isFirst ? this.share.queue : this.share.begun).add(this);
    this.each((at) => (at.waiters += 1));
    this.turns.sweepLater();
    if (waitMs !== Infinity) this.timer = setTimeout(() => this.refuse(), waitMs);
  }

  /** Called when it is this call's turn. The caller begins later, so that the event loop serves others between two. */
  go(): void {
    this.leaveQueue();
    this.occupy();
    setImmediate(() => {
      if (this.state === 'taken') this.begun(null);
    });
  }

  /** Whether the call has a turn now. */
  get isTaken(): boolean {
    return this.state === 'taken';
  }

  /** Whether the call is under way: in a turn, or in `restDuring`. */
  get isWorking(): boolean {
    return this.isTaken || this.isHeld;
  }

  get hasEnded(): boolean {
    return this.state === 'ended';
  }

  /** Takes a turn again after `rest`, however long it takes. Resolves without one when the call has ended. */
  async again(): Promise<void> {
    if (this.state !== 'resting') return;
    await new Promise<void>((resolve) => {
      this.ended = resolve;
      this.begin(() => resolve(), Infinity);
    });
  }

  /** Gives the turn back. The call may take another one. */
  rest(): void {
    if (this.state !== 'taken') return;
    if (this.isLeft && !this.isHeld) {
      this.end();
      return;
    }
    this.state = 'resting';
    this.giveBack();
    this.turns.advance();
  }

  /** Gives the turn back during work that other calls may do. The work takes a turn with `again` where it needs one. */
  async restDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.isHeld = true;
    this.rest();
    try {
      return await work();
    } finally {
      this.isHeld = false;
    }
  }

  /** Counts what the call keeps from now on, until it has ended. */
  keep(weight: number): void {
    if (this.state === 'ended') return;
    this.kept += weight;
    this.each((at) => (at.kept += weight));
  }

  /** Ends the call when nobody waits for its result: at once, or when it rests after the work that is under way. */
  leave(): void {
    if (this.isWorking) this.isLeft = true;
    else this.end();
  }

  /** Ends the call, whatever it does. Later calls of any method do nothing. */
  end(): void {
    const { state, kept } = this;
    if (state === 'ended') return;
    if (state === 'waiting') this.leaveQueue();
    this.state = 'ended';
    this.each((at) => {
      if (state === 'entered' || state === 'waiting') at.waiting -= this.weight;
      at.kept -= kept;
      at.calls -= 1;
    });
    if (state === 'taken') this.giveBack();
    this.turns.advance();
    this.ended();
  }

  private occupy(): void {
    const isWaiting = this.state !== 'resting';
    this.state = 'taken';
    this.each((at) => {
      if (isWaiting) at.waiting -= this.weight;
      at.taken += 1;
      if (at.level === 1) this.turns.precedence?.begin(at.name);
    });
  }

  private giveBack(): void {
    this.each((at) => {
      at.taken -= 1;
      if (at.level === 1) this.turns.precedence?.end(at.name);
    });
  }

  private refuse(): void {
    const refused = this.turns.levelOfWait(this.share);
    this.end();
    this.begun(refused);
  }

  private leaveQueue(): void {
    clearTimeout(this.timer);
    this.share.queue.delete(this);
    this.share.begun.delete(this);
    this.each((at) => (at.waiters -= 1));
  }

  private each(act: (share: Share) => void): void {
    for (let at: Share | null = this.share; at !== null; at = at.above) {
      act(at);
    }
  }
}
