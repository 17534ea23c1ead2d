import { setImmediate as settled } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Precedence } from './precedence.js';
import { Turn, Turns, type NoTurn, type TurnLimits } from './turns.js';

let now: number;
/** The calls that got a turn, in order. */
let went: string[];

beforeEach(() => {
  now = 10_000;
  went = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

/** A call, as it stands. */
interface Call {
  readonly turn: Turn;
  refused: NoTurn | null | undefined;
}

function turnsOf(limits: Partial<TurnLimits>): Turns {
  return new Turns({ turns: 1, waitMs: 1_000, ...limits }, () => now);
}

/** Enters and begins a call. `path` is of the form `account/principal`. */
function begin(turns: Turns, path: string, weight?: number): Call {
  const turn = turns.enter(path.split('/'), weight);
  if (!(turn instanceof Turn)) throw new Error(`refused at level ${turn.level}`);
  const call: Call = { turn, refused: undefined };
  turn.begin((refused) => {
    call.refused = refused;
    if (!refused) went.push(path);
  });
  return call;
}

describe('a call whose caller has left', () => {
  it('counts until it rests', async () => {
    const turns = turnsOf({ shares: [{ alone: 1, among: 1 }], kept: [100, 100] });
    const { turn } = begin(turns, 'a');
    turn.keep(100);
    turn.leave();
    expect([turn.isTaken, begin(turns, 'a').refused]).toEqual([true, undefined]);
    turn.rest();
    expect(turn.hasEnded).toBe(true);
    await settled();
    expect(went).toEqual(['a', 'a']);
  });

  it('ends at once when it does not work', () => {
    const { turn } = begin(turnsOf({}), 'a');
    turn.rest();
    turn.leave();
    expect(turn.hasEnded).toBe(true);
  });

  it('keeps its place while it waits for what others do', async () => {
    const { turn } = begin(turnsOf({}), 'a');
    await turn.restDuring(async () => turn.leave());
    expect(turn.hasEnded).toBe(false);
    await turn.again();
    turn.rest();
    expect(turn.hasEnded).toBe(true);
  });
});

describe('turns', () => {
  it('are taken at once while there are free ones', () => {
    const turns = turnsOf({ turns: 2 });
    begin(turns, 'a');
    begin(turns, 'a');
    expect(went).toEqual(['a', 'a']);
    begin(turns, 'a');
    expect(went).toHaveLength(2);
  });

  it('go to the names of each level by turns, not in the order of arrival', async () => {
    const turns = turnsOf({});
    const first = begin(turns, 'busy/bot');
    const waiting = ['busy/bot', 'busy/bot', 'busy/bot', 'busy/admin', 'quiet/admin', 'other/bot'].map((path) =>
      begin(turns, path),
    );
    expect(went).toEqual(['busy/bot']);
    first.turn.end();
    for (let served = 0; served < waiting.length; served += 1) {
      await settled();
      waiting.find(({ turn }) => turn.isTaken)?.turn.end();
    }
    expect(went.slice(1)).toEqual(['busy/bot', 'quiet/admin', 'other/bot', 'busy/admin', 'busy/bot', 'busy/bot']);
  });

  it('of a name that is alone are most, and fewer while others are there', async () => {
    const turns = turnsOf({ turns: 12, shares: [{ alone: 5 / 6, among: 1 / 4 }] });
    const alone = Array.from({ length: 20 }, () => begin(turns, 'busy'));
    expect(went).toHaveLength(10);
    // A neighbour finds a turn at once.
    const neighbour = begin(turns, 'quiet');
    expect(went.at(-1)).toBe('quiet');
    neighbour.turn.end();
    const taken = () => alone.filter(({ turn }) => turn.isTaken);
    for (const { turn } of taken().slice(0, 7)) turn.end();
    await settled();
    expect(taken()).toHaveLength(3);
    taken()[0]?.turn.end();
    await settled();
    expect(taken()).toHaveLength(3);
    // A second later, the neighbour is gone.
    now += 2_000;
    begin(turns, 'busy');
    await settled();
    expect(taken()).toHaveLength(10);
  });

  it('of a name that others have left are more, also when no call enters or ends', async () => {
    const turns = turnsOf({ turns: 4, shares: [{ alone: 1, among: 1 / 4 }], waitMs: 10_000 });
    begin(turns, 'quiet').turn.end();
    begin(turns, 'busy');
    const second = begin(turns, 'busy');
    expect(second.turn.isTaken).toBe(false);
    now += 1_001;
    await vi.advanceTimersByTimeAsync(1_000);
    await settled();
    expect(second.refused).toBe(null);
  });

  it('begin after those of a name with little use, also where it takes them elsewhere', async () => {
    const precedence = new Precedence(() => now);
    const turns = turnsOf({ turns: 4, precedence });
    const elsewhere = turnsOf({ turns: 4, precedence });
    const first = begin(turns, 'busy');
    now += 500;
    const quiet = begin(turns, 'quiet');
    begin(turns, 'busy');
    begin(elsewhere, 'busy');
    expect(went).toEqual(['busy', 'quiet', 'busy']);
    first.turn.end();
    const waiting = [begin(turns, 'busy'), begin(elsewhere, 'busy')];
    expect(waiting.map(({ turn }) => turn.isTaken)).toEqual([false, false]);
    quiet.turn.end();
    await settled();
    expect(waiting.map(({ refused }) => refused)).toEqual([null, null]);
  });

  it('are refused after too long a wait, with the level whose limit is reached', async () => {
    const turns = turnsOf({ turns: 3, shares: [{ alone: 2 / 3, among: 2 / 3 }] });
    begin(turns, 'a');
    begin(turns, 'a');
    const ofAccount = begin(turns, 'a');
    begin(turns, 'b');
    const ofAll = begin(turns, 'b');
    await vi.advanceTimersByTimeAsync(999);
    expect([ofAccount.refused, ofAll.refused]).toEqual([undefined, undefined]);
    await vi.advanceTimersByTimeAsync(1);
    expect([ofAccount.refused, ofAll.refused]).toEqual([{ level: 1 }, { level: 0 }]);
  });

  it('are refused at once when too much waits', () => {
    const turns = turnsOf({ waiting: [10, 6, 4] });
    begin(turns, 'a/x');
    expect(turns.enter(['a', 'x'], 5)).toEqual({ level: 2 });
    begin(turns, 'a/x', 4);
    expect(turns.enter(['a', 'y'], 3)).toEqual({ level: 1 });
    begin(turns, 'b/x', 4);
    expect(turns.enter(['c', 'x'], 3)).toEqual({ level: 0 });
    expect(turns.enter(['c', 'x'], 2)).toBeInstanceOf(Turn);
  });

  it('are not given to who keeps too much, until less is kept', async () => {
    const turns = turnsOf({ turns: 4, kept: [100, 10] });
    const reader = begin(turns, 'a');
    reader.turn.keep(10);
    reader.turn.rest();
    const next = begin(turns, 'a');
    begin(turns, 'b');
    expect(went).toEqual(['a', 'b']);
    reader.turn.end();
    await settled();
    expect(next.turn.isTaken).toBe(true);
  });

  it('are given to who keeps nothing, one at a time, although others keep the most', async () => {
    const turns = turnsOf({ turns: 9, kept: [20, 10] });
    const read = (path: string) => {
      const { turn } = begin(turns, path);
      turn.keep(10);
      turn.rest();
      return turn;
    };
    read('a/x');
    read('b/x');
    // Both keep something, and all callers together the most.
    const refused = [begin(turns, 'a/y'), begin(turns, 'b/x')];
    const first = begin(turns, 'c/x');
    const second = begin(turns, 'c/y');
    expect(went).toEqual(['a/x', 'b/x', 'c/x']);
    first.turn.end();
    await settled();
    expect(second.turn.isTaken).toBe(true);
    second.turn.end();
    // So until those with nothing have as much as the others.
    read('d/x');
    read('e/x');
    const last = begin(turns, 'f/x');
    await settled();
    expect([last, ...refused].some(({ turn }) => turn.isTaken)).toBe(false);
    vi.runAllTimers();
    expect(last.refused).toEqual({ level: 0 });
  });

  it('are given to who keeps nothing within a name that keeps the most', () => {
    const turns = turnsOf({ turns: 9, kept: [100, 10, 10] });
    const reader = begin(turns, 'a/x');
    reader.turn.keep(10);
    reader.turn.rest();
    begin(turns, 'a/x');
    begin(turns, 'a/y');
    begin(turns, 'a/y');
    expect(went).toEqual(['a/x', 'a/y']);
  });

  it('are taken again by calls that keep the most, however much that is', async () => {
    const turns = turnsOf({ kept: [10], turns: 1 });
    const calls = [begin(turns, 'a'), begin(turns, 'a')];
    for (const { turn } of calls) {
      await settled();
      turn.keep(5);
      turn.rest();
    }
    const waiting = begin(turns, 'a');
    const again = calls.map(({ turn }) => turn.again());
    await again[0];
    expect(calls.map(({ turn }) => turn.isTaken)).toEqual([true, false]);
    calls[0]?.turn.rest();
    await again[1];
    expect(calls.map(({ turn }) => turn.isTaken)).toEqual([false, true]);
    calls[1]?.turn.rest();
    expect(waiting.turn.isTaken).toBe(false);
    for (const { turn } of calls) turn.end();
    await settled();
    expect(waiting.turn.isTaken).toBe(true);
  });

  it('can be taken again by a call that has not ended', async () => {
    const turns = turnsOf({});
    const { turn } = begin(turns, 'a');
    turn.rest();
    now += 5_000;
    const other = begin(turns, 'b');
    let isAgain = false;
    const again = turn.again().then(() => (isAgain = true));
    await settled();
    expect(isAgain).toBe(false);
    other.turn.end();
    await again;
    expect(turn.isTaken).toBe(true);
  });

  it('are not waited for again after the end of the call', async () => {
    const turns = turnsOf({});
    const { turn } = begin(turns, 'a');
    turn.rest();
    begin(turns, 'b');
    const again = turn.again();
    turn.end();
    await again;
    expect([turn.isTaken, turn.hasEnded]).toEqual([false, true]);
    await turn.again();
  });

  it('pass a call that has ended while it waited, and leave nothing behind', async () => {
    const turns = turnsOf({ waiting: [3] });
    const first = begin(turns, 'a');
    const gone = begin(turns, 'a');
    const next = begin(turns, 'a');
    gone.turn.end();
    first.turn.end();
    await settled();
    expect([gone.refused, next.refused]).toEqual([undefined, null]);
    next.turn.end();
    next.turn.end();
    const last = [begin(turns, 'b'), begin(turns, 'b')];
    expect(last.map(({ refused }) => refused)).toEqual([null, undefined]);
  });

  it('of many names that are gone are forgotten', () => {
    const turns = turnsOf({ turns: 12, shares: [{ alone: 1, among: 1 / 4 }] });
    for (let name = 0; name < 100; name += 1) begin(turns, `name-${name}`).turn.end();
    now += 2_000;
    const calls = Array.from({ length: 13 }, () => begin(turns, 'a'));
    expect(calls.filter(({ turn }) => turn.isTaken)).toHaveLength(12);
  });
});

it('take returns null for a call that is refused', async () => {
  const turns = turnsOf({});
  const turn = await turns.take([]);
  const late = turns.take([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toBeNull();
  turn?.end();
  expect(await turns.take([])).toBeInstanceOf(Turn);
});
