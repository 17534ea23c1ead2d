import { expect, it } from 'vitest';
import { Turns, type Turn } from '../../timing/turns.js';
import { systemContext } from '../envelope/system-context.js';
import type { CheckedEvent, CheckedRequest } from './batch-check.js';
import { GroupFailed, type PublishResult, type WrittenGroup } from './group-writer.js';
import { PublishGroups } from './publish-groups.js';
import type { LockMode } from './publish-statements.js';

/** Groups whose writes end when the test ends them. */
class Harness {
  readonly begun: { readonly names: readonly string[]; readonly mode: LockMode }[] = [];
  readonly notified: (readonly string[])[] = [];
  private readonly ends: (() => void)[] = [];
  destinations = 1;
  result: (name: string, mode: LockMode) => PublishResult = (name) => accepted(name);
  failure: (names: readonly string[]) => Error | undefined = () => undefined;
  now = 0;
  readonly groups = new PublishGroups(
    { write: (requests, mode) => this.write(requests, mode) },
    { notify: (ids) => this.notified.push(ids) },
    () => this.now,
  );

  private async write(requests: readonly CheckedRequest[], mode: LockMode): Promise<WrittenGroup> {
    const names = requests.map(({ context }) => context.operationId);
    this.begun.push({ names, mode });
    await new Promise<void>((resolve) => this.ends.push(resolve));
    const failure = this.failure(names);
    if (failure) throw failure;
    const results = names.map((name) => this.result(name, mode));
    return { results, destinationIds: names, destinations: this.destinations };
  }

  /** Ends the write that began first of those under way, and lets what follows begin. */
  async end(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  get names(): unknown {
    return this.begun.map(({ names }) => names);
  }
}

const accepted = (name: string): PublishResult => ({
  kind: 'accepted',
  response: { events: [{ event_id: name, duplicate: false }] },
});

function request(name: string, more: { account?: string; events?: number; characters?: number; turn?: Turn } = {}) {
  const { account = 'acc_1', events = 1, characters = 100, turn } = more;
  const context = { ...systemContext(account, name, 'https://waybill.example'), operationId: name };
  // Only its size counts here.
  const event = { characters } as CheckedEvent;
  const given: CheckedRequest = {
    context: turn ? { ...context, turn } : context,
    events: Array.from({ length: events }, () => event),
    traceParent: null,
  };
  return given;
}

/** Lets the writes of this turn of the event loop begin. */
const begun = () => new Promise((resolve) => setImmediate(resolve));

it('requests of an account that arrive during a write are the next group, with one claim', async () => {
  const harness = new Harness();
  const results = [harness.groups.write(request('1'))];
  await begun();
  results.push(...['2', '3', '4'].map((name) => harness.groups.write(request(name))));
  await begun();
  expect(harness.names).toEqual([['1']]);
  await harness.end();
  await harness.end();
  expect(harness.names).toEqual([['1'], ['2', '3', '4']]);
  expect(harness.notified).toEqual([['1'], ['2', '3', '4']]);
  expect(await Promise.all(results)).toEqual(['1', '2', '3', '4'].map(accepted));
});

it('a request of another account is written at once, however many wait in the account that floods', async () => {
  const harness = new Harness();
  for (let number = 0; number < 5_000; number += 1) void harness.groups.write(request(`${number}`, { events: 500 }));
  await begun();
  const others = harness.begun.length;
  void harness.groups.write(request('other', { account: 'acc_2' }));
  await begun();
  expect(harness.begun.slice(others)).toEqual([{ names: ['other'], mode: 'skips' }]);
});

it.each([
  ['events', { events: 40 }],
  ['characters', { characters: 1_000_000 }],
])('a group has a bounded number of %s', async (_, size) => {
  const harness = new Harness();
  void harness.groups.write(request('first'));
  await begun();
  for (const name of ['1', '2', '3']) void harness.groups.write(request(name, size));
  await begun();
  await harness.end();
  await harness.end();
  expect(harness.names).toEqual([['first'], ['1', '2'], ['3']]);
});

it('a group has as many deliveries as a transaction creates, by those of the group before', async () => {
  const harness = new Harness();
  harness.destinations = 2_000;
  void harness.groups.write(request('first'));
  await begun();
  await harness.end();
  void harness.groups.write(request('second'));
  await begun();
  for (const name of ['1', '2', '3']) void harness.groups.write(request(name));
  await harness.end();
  await harness.end();
  expect(harness.names).toEqual([['first'], ['second'], ['1', '2'], ['3']]);
});

it('a request that a group leaves is written alone, and may wait for locks there', async () => {
  const harness = new Harness();
  harness.result = (name, mode) => (mode === 'skips' && name === '2' ? { kind: 'left' } : accepted(name));
  void harness.groups.write(request('1'));
  await begun();
  const results = ['2', '3'].map((name) => harness.groups.write(request(name)));
  await harness.end();
  await harness.end();
  expect(harness.begun.slice(1)).toEqual([
    { names: ['2', '3'], mode: 'skips' },
    { names: ['2'], mode: 'waits' },
  ]);
  expect(await results[1]).toEqual(accepted('3'));
  await harness.end();
  expect(await results[0]).toEqual(accepted('2'));
});

it('a request that waits for its group gives back its turn, and the group takes it again', async () => {
  const turns = new Turns({ turns: 2, waitMs: 1_000 });
  const harness = new Harness();
  const [first, second] = [await turns.take(['acc_1']), await turns.take(['acc_1'])];
  if (!first || !second) throw new Error('no turn');
  void harness.groups.write(request('1', { turn: first }));
  await begun();
  const third = turns.take(['acc_1']);
  void harness.groups.write(request('2', { turn: second }));
  const other = await third;
  await begun();
  expect([harness.names, first.isTaken, second.isTaken]).toEqual([[['1']], true, false]);
  // The response to the first one is sent. The third call still has the other turn.
  await harness.end();
  first.end();
  await begun();
  expect([harness.names, second.isTaken, other?.isTaken]).toEqual([[['1'], ['2']], true, true]);
  await harness.end();
});

it('each group of an account takes a turn of its own', async () => {
  const turns = new Turns({ turns: 3, waitMs: 1_000 });
  const harness = new Harness();
  const take = () => turns.take(['acc_1']);
  const requests = [await take(), await take(), await take()];
  // Two other calls get turns that the requests give back, so one turn is left.
  const others = [take(), take()];
  for (const [index, turn] of requests.entries()) {
    if (turn) void harness.groups.write(request(`${index}`, { events: 500, turn })).finally(() => turn.end());
  }
  await Promise.all(others);
  for (const written of [1, 2, 3]) {
    await begun();
    expect(harness.names).toHaveLength(written);
    await harness.end();
    await begun();
  }
});

it('a request works until its group is written, in a turn or not', async () => {
  const turns = new Turns({ turns: 1, waitMs: 1_000 });
  const harness = new Harness();
  void harness.groups.write(request('1'));
  await begun();
  const turn = await turns.take(['acc_1']);
  if (!turn) throw new Error('no turn');
  const result = harness.groups.write(request('2', { turn }));
  await begun();
  expect([turn.isTaken, turn.isWorking]).toEqual([false, true]);
  await harness.end();
  await harness.end();
  await result;
  turn.rest();
  expect(turn.isWorking).toBe(false);
});

it('the error of one request is that of no other', async () => {
  const harness = new Harness();
  const bad = new RangeError('2 is bad');
  harness.failure = (names) => (names.includes('2') ? new GroupFailed('failed', { cause: bad }) : undefined);
  const results = [harness.groups.write(request('first'))];
  await begun();
  results.push(...['1', '2', '3', '4'].map((name) => harness.groups.write(request(name))));
  const settled = Promise.allSettled(results);
  for (let write = 0; write < 8; write += 1) await harness.end();
  expect(await settled).toEqual(
    ['first', '1', '2', '3', '4'].map((name) =>
      name === '2' ? { status: 'rejected', reason: bad } : { status: 'fulfilled', value: accepted(name) },
    ),
  );
});

it('a request that has waited ten seconds is refused, and the next ones are not held up', async () => {
  const harness = new Harness();
  void harness.groups.write(request('first'));
  await begun();
  const late = harness.groups.write(request('late'));
  harness.now = 9_999;
  const inTime = harness.groups.write(request('in time'));
  harness.now = 10_000;
  await harness.end();
  await harness.end();
  expect(await late).toMatchObject({ kind: 'refused', problem: { code: 'unavailable' } });
  expect(await inTime).toEqual(accepted('in time'));
  expect(harness.names).toEqual([['first'], ['in time']]);
});
