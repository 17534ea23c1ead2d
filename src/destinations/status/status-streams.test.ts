import { EventEmitter, once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { Problem } from '../../problems/problem.js';
import { MAX_COUNTED_IN_PAGE, type LaneView } from './lane-view-store.js';
import { MOST_STREAMS, MOST_STREAMS_OF_KEY, StatusStreams } from './status-streams.js';

/** Lanes in memory, which count what is read of them. */
class MemoryLanes {
  readonly lanes = new Map<string, { mark: number; pending: number }>();
  reads: string[] = [];
  failure: Error | null = null;
  /** Polls that wait for a permit. */
  waiting = 0;
  private permits = Infinity;
  private granted = new EventEmitter();

  /** Lets no further poll begin before `permit`. */
  hold(): void {
    this.permits = 0;
  }

  /** Lets so many polls begin. */
  permit(polls: number): void {
    this.permits = polls;
    this.granted.emit('granted');
  }

  set(id: string, pending: number): void {
    this.lanes.set(id, { mark: (this.lanes.get(id)?.mark ?? 0) + 1, pending });
  }

  async marks(): Promise<ReadonlyMap<string, string>> {
    while (this.permits === 0) {
      this.waiting += 1;
      await once(this.granted, 'granted');
      this.waiting -= 1;
    }
    this.permits -= 1;
    this.reads.push('marks');
    if (this.failure) throw this.failure;
    return new Map(Array.from(this.lanes, ([id, { mark }]) => [id, String(mark)]));
  }

  async listOf(_accountId: string, ids: readonly string[]): Promise<readonly LaneView[]> {
    this.reads.push(`${ids.length} lanes`);
    return ids.flatMap((id) => {
      const lane = this.lanes.get(id);
      return lane ? [viewOf(id, lane.pending)] : [];
    });
  }
}

function viewOf(destinationId: string, pending: number): LaneView {
  return {
    destinationId,
    description: null,
    targetKind: 'monitoring',
    state: 'healthy',
    since: new Date(0),
    paused: null,
    muted: null,
    lastErrorCode: null,
    lastErrorMessage: null,
    lastErrorAt: null,
    counted: pending,
    mostCounted: MAX_COUNTED_IN_PAGE,
    inFlight: 0,
    oldestPendingAt: null,
    oldestExpiresAt: null,
    nextAttemptAt: null,
    lastSequence: 0,
    epoch: 1,
    epochFirstSequence: 1,
    earlierEpochs: null,
  };
}

interface Received {
  readonly event: string;
  readonly statuses: readonly { readonly id: string; readonly pending: number; readonly uri: string }[];
  readonly ids: readonly string[];
}

/** Reads events of a stream, one after the other. */
class Reader {
  private text = '';
  /** Comments so far. */
  comments = 0;

  constructor(private readonly stream: Readable) {}

  async next(): Promise<Received> {
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.text.slice(0, end);
        this.text = this.text.slice(end + 2);
        const [, event] = /^event: (.*)$/m.exec(block) ?? [];
        if (block.startsWith(':')) this.comments += 1;
        if (event === undefined) continue;
        const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as Partial<Received>;
        return { event, statuses: data.statuses ?? [], ids: data.ids ?? [] };
      }
      const chunk = this.stream.read() as Buffer | null;
      if (chunk !== null) this.text += chunk.toString();
      else await once(this.stream, 'readable');
    }
  }

  /** Reads until the event has this status. */
  async until(id: string, pending: number): Promise<Received> {
    for (;;) {
      const received = await this.next();
      if (received.statuses.some((status) => status.id === id && status.pending === pending)) return received;
    }
  }
}

const NEVER = 3_600_000;
let lanes: MemoryLanes;
let streams: StatusStreams;
let opened: Readable[];
beforeEach(() => {
  lanes = new MemoryLanes();
  opened = [];
  streams = streamsWith({});
});
afterEach(() => {
  lanes.permit(Infinity);
  streams.close();
  for (const stream of opened) stream.destroy();
});

function streamsWith(times: Partial<{ pollMs: number; heartbeatMs: number; checkMs: number }>): StatusStreams {
  return new StatusStreams({
    lanes,
    logger: createLogger('silent'),
    times: { pollMs: 5, heartbeatMs: NEVER, checkMs: NEVER, ...times },
  });
}

interface Owner {
  readonly accountId: string;
  readonly keyId: string;
  readonly baseUrl: string;
  readonly isCurrent: () => Promise<boolean>;
}

function open(owner: Partial<Owner> = {}): Readable {
  const stream = streams.open({
    accountId: 'acct_1',
    keyId: 'ak_1',
    baseUrl: 'http://waybill',
    isCurrent: async () => true,
    ...owner,
  });
  opened.push(stream);
  return stream;
}

/** Counts the turns of the event loop. */
function turnCounter(): { readonly number: number; stop(): void } {
  const counter = { number: 0, stop: () => clearImmediate(next) };
  const count = (): void => {
    counter.number += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return counter;
}

describe('a stream', () => {
  test('begins with all statuses, and continues with those that changed, and with removed ids', async () => {
    lanes.set('ed_1', 1);
    lanes.set('ed_2', 2);
    const reader = new Reader(open());
    const first = await reader.next();
    expect(first.event).toBe('snapshot');
    expect(first.statuses.map(({ id, pending, uri }) => [id, pending, uri])).toEqual([
      ['ed_1', 1, 'http://waybill/event_destinations/ed_1/status'],
      ['ed_2', 2, 'http://waybill/event_destinations/ed_2/status'],
    ]);
    lanes.set('ed_2', 3);
    lanes.set('ed_3', 0);
    const seen = new Map<string, number>();
    while (seen.size < 2) {
      const { event, statuses } = await reader.next();
      expect(event).toBe('changed');
      for (const { id, pending } of statuses) seen.set(id, pending);
    }
    expect(seen).toEqual(new Map(Object.entries({ ed_2: 3, ed_3: 0 })));
    lanes.lanes.delete('ed_1');
    expect(await reader.next()).toMatchObject({ event: 'removed', ids: ['ed_1'] });
  });

  test('is empty at first in an account without destinations', async () => {
    expect(await new Reader(open()).next()).toEqual({ event: 'snapshot', statuses: [], ids: [] });
  });

  test('shows a change that no mark shows, in its turn', async () => {
    for (let count = 0; count < 250; count += 1) lanes.set(`ed_${count}`, 0);
    const reader = new Reader(open());
    expect((await reader.next()).statuses).toHaveLength(250);
    lanes.lanes.set('ed_0', { mark: 1, pending: 7 });
    expect(await reader.until('ed_0', 7)).toMatchObject({ event: 'changed' });
    expect(Math.max(...lanes.reads.map((read) => Number.parseInt(read, 10) || 0))).toBeLessThanOrEqual(300);
  });

  test('of a client that reads slowly holds one event, and then shows everything', async () => {
    for (let count = 0; count < 100; count += 1) lanes.set(`ed_${count}`, 0);
    const slow = open();
    const fast = new Reader(open());
    await fast.next();
    const held = slow.readableLength;
    expect(held).toBeGreaterThan(0);
    for (let pending = 1; pending <= 20; pending += 1) {
      lanes.set('ed_1', pending);
      await fast.until('ed_1', pending);
    }
    expect(slow.readableLength).toBe(held);
    const reader = new Reader(slow);
    expect(await reader.next()).toMatchObject({ event: 'snapshot' });
    const next = await reader.next();
    expect([next.event, next.statuses.find(({ id }) => id === 'ed_1')?.pending]).toEqual(['snapshot', 20]);
  });

  test('of a client that reads slowly holds a part of a large snapshot, which then arrives whole', async () => {
    for (let count = 0; count < 3_000; count += 1) lanes.set(`ed_${count}`, count);
    const slow = open();
    const fast = new Reader(open());
    const whole = await fast.next();
    expect(slow.readableLength).toBeLessThan(JSON.stringify(whole.statuses).length / 10);
    expect(whole.statuses).toHaveLength(3_000);
    expect(await new Reader(slow).next()).toEqual(whole);
  });

  test('gets a comment from time to time', async () => {
    streams.close();
    streams = streamsWith({ heartbeatMs: 5 });
    lanes.set('ed_1', 0);
    const reader = new Reader(open());
    await reader.next();
    while (reader.comments < 3) {
      lanes.set('ed_1', reader.comments + lanes.reads.length);
      await reader.next();
    }
    expect(reader.comments).toBeGreaterThanOrEqual(3);
  });

  test('has the addresses of its own client', async () => {
    lanes.set('ed_1', 0);
    const readers = ['http://one', 'http://two'].map((baseUrl) => new Reader(open({ baseUrl })));
    for (const reader of readers) await reader.next();
    lanes.set('ed_1', 1);
    const uris = await Promise.all(readers.map(async (reader) => (await reader.next()).statuses[0]?.uri));
    expect(uris).toEqual(['http://one', 'http://two'].map((base) => `${base}/event_destinations/ed_1/status`));
  });
});

describe('the streams of an account', () => {
  test('share one feed: ten clients get a change of one poll', async () => {
    lanes.set('ed_1', 0);
    const readers = Array.from({ length: 10 }, (_, index) => new Reader(open({ keyId: `ak_${index}` })));
    await Promise.all(readers.map((reader) => reader.next()));
    lanes.hold();
    await expect.poll(() => lanes.waiting).toBe(1);
    lanes.reads = [];
    lanes.set('ed_1', 1);
    lanes.permit(1);
    await Promise.all(readers.map((reader) => reader.until('ed_1', 1)));
    expect(lanes.reads).toEqual(['marks', '1 lanes']);
    lanes.permit(Infinity);
  });

  test('send one part of a snapshot in each turn of the event loop, however fast their clients read', async () => {
    for (let count = 0; count < 500; count += 1) lanes.set(`ed_${count}`, 0);
    const turn = turnCounter();
    const parts: number[] = [];
    const ends = Array.from({ length: 20 }, async (_, index) => {
      const stream = open({ keyId: `ak_${index}` });
      let text = '';
      for await (const part of stream) {
        text += String(part);
        if (String(part).length > 10_000) parts.push(turn.number);
        if (text.includes(']}\n\n')) return;
      }
    });
    await Promise.all(ends);
    turn.stop();
    expect(parts.length).toBeGreaterThan(200);
    // A part that arrives at the end of one turn may be followed by one at the begin of the next.
    const inOne = Math.max(...parts.map((number) => parts.filter((other) => other === number).length));
    expect(inOne).toBeLessThanOrEqual(2);
  });

  test('let others be served between two texts, where each client names another host', async () => {
    lanes.set('ed_1', 0);
    const readers = Array.from({ length: 20 }, (_, index) => {
      const reader = new Reader(open({ keyId: `ak_${index}`, baseUrl: `http://host-${index}` }));
      return reader;
    });
    await Promise.all(readers.map((reader) => reader.next()));
    const turn = turnCounter();
    lanes.set('ed_1', 1);
    const turns = await Promise.all(
      readers.map(async (reader) => {
        await reader.until('ed_1', 1);
        return turn.number;
      }),
    );
    turn.stop();
    expect(new Set(turns).size).toBeGreaterThan(10);
  });

  test('cost nothing after the last of them has ended', async () => {
    const stream = open();
    await new Reader(stream).next();
    stream.destroy();
    await once(stream, 'close');
    const idle = async () => {
      const before = lanes.reads.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return lanes.reads.length === before;
    };
    await expect.poll(idle).toBe(true);
    expect((await new Reader(open()).next()).event).toBe('snapshot');
  });

  test('are limited for each key', async () => {
    for (let count = 0; count < MOST_STREAMS_OF_KEY; count += 1) open();
    expect(() => open()).toThrow(Problem);
    expect(() => open()).toThrow(/may have 10 streams/);
    open({ keyId: 'ak_2' });
    open({ accountId: 'acct_2' });
    opened[0]?.destroy();
    await once(opened[0] as Readable, 'close');
    open();
  });

  test('are limited for the process', () => {
    for (let count = 0; count < MOST_STREAMS; count += 1)
      open({ keyId: `ak_${count}`, accountId: `acct_${count % 4}` });
    expect(() => open({ accountId: 'acct_5' })).toThrow(/has 256 streams/);
  });

  test('end when they cannot be read, so that their clients ask again', async () => {
    const stream = open();
    await new Reader(stream).next();
    lanes.failure = new Error('the database is away');
    stream.resume();
    await once(stream, 'end');
    lanes.failure = null;
    expect((await new Reader(open()).next()).event).toBe('snapshot');
  });

  test('end when the process stops, which opens no more', async () => {
    const stream = open();
    streams.close();
    stream.resume();
    await once(stream, 'end');
    expect(() => open()).toThrow('The service is stopping.');
  });
});

describe('a stream whose key', () => {
  test.each([
    ['has ended', async () => false],
    ['cannot be checked', () => Promise.reject(new Error('the database is away'))],
  ])('%s ends, and no other', async (_, isCurrent) => {
    streams.close();
    streams = streamsWith({ checkMs: 5 });
    const other = open();
    const stream = open({ isCurrent });
    stream.resume();
    await once(stream, 'end');
    expect(other.readableEnded).toBe(false);
    lanes.set('ed_1', 4);
    expect(await new Reader(other).until('ed_1', 4)).toBeDefined();
  });
});
