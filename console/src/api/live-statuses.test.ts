import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StatusFeed } from './live-statuses.js';

const START = Date.parse('2026-11-23T12:00:00Z');

let stream: ReadableStreamDefaultController<Uint8Array>;
let feed: StatusFeed;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('fetch', (address: string, { signal }: { signal: AbortSignal }) => {
    if (!address.includes('/stream')) return Promise.resolve(Response.json({ statuses: [], next_page_uri: null }));
    const body = new ReadableStream<Uint8Array>({
      start: (control) => {
        stream = control;
        signal.addEventListener('abort', () => control.error(signal.reason));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  });
  feed = new StatusFeed(() => undefined);
});
afterEach(() => {
  feed.connection.pause();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Sends a text to the page, after some milliseconds. */
async function send(text: string, afterMs = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(afterMs);
  stream.enqueue(new TextEncoder().encode(text));
  await vi.advanceTimersByTimeAsync(0);
}

const SNAPSHOT = 'event: snapshot\ndata: {"statuses":[]}\n\n';
const HEARTBEAT = ': heartbeat\n\n';

it('has the time at which the stream was last heard, not that at which its silence was noticed', async () => {
  feed.connection.open();
  await send(SNAPSHOT);
  expect(feed.read()).toMatchObject({ state: { kind: 'live' }, asOf: null });
  await send(HEARTBEAT, 3_000);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(feed.read().state.kind).not.toBe('live');
  expect(feed.read().asOf).toBe(START + 3_000);
});

it('keeps that time while it connects again, until a snapshot comes or the list is read', async () => {
  feed.connection.open();
  await send(SNAPSHOT);
  await vi.advanceTimersByTimeAsync(3_000);
  feed.connection.pause();
  feed.connection.resume();
  await send(HEARTBEAT, 2_000);
  expect(feed.read()).toMatchObject({ state: { kind: 'connecting' }, asOf: START });
  feed.connection.pause();
  await feed.load(new AbortController().signal);
  expect(feed.read().asOf).toBe(START + 5_000);
  feed.connection.resume();
  await send(SNAPSHOT);
  expect(feed.read().asOf).toBeNull();
});

it('has the time of the list, where no stream has come before', async () => {
  expect(feed.read().asOf).toBeNull();
  await feed.load(new AbortController().signal);
  expect(feed.read().asOf).toBe(START);
});
