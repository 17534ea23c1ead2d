import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveConnection } from './live-connection.js';
import { lastKnownAt, statusesQuery, statusStream } from './live-statuses.js';

const START = Date.parse('2026-11-23T12:00:00Z');

let stream: ReadableStreamDefaultController<Uint8Array>;
let client: QueryClient;
let connection: LiveConnection;
/** How often the list was read. */
let lists: number;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('fetch', (address: string, { signal }: { signal: AbortSignal }) => {
    if (!address.includes('/stream')) {
      lists += 1;
      return Promise.resolve(Response.json({ statuses: [], next_page_uri: null }));
    }
    const body = new ReadableStream<Uint8Array>({
      start: (control) => {
        stream = control;
        signal.addEventListener('abort', () => control.error(signal.reason));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  });
  lists = 0;
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000 } } });
  connection = statusStream(client);
});
afterEach(() => {
  connection.pause();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Sends a text to the page, after some milliseconds. */
async function send(text: string, afterMs = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(afterMs);
  stream.enqueue(new TextEncoder().encode(text));
  await vi.advanceTimersByTimeAsync(0);
}

/** Returns when the statuses were last known. */
function asOf(): number | null {
  return lastKnownAt(connection, client.getQueryState(statusesQuery.queryKey)?.dataUpdatedAt ?? 0);
}

const SNAPSHOT = 'event: snapshot\ndata: {"statuses":[]}\n\n';
const HEARTBEAT = ': heartbeat\n\n';

it('has the time at which the stream was last heard, not that at which its silence was noticed', async () => {
  connection.open();
  await send(SNAPSHOT);
  expect(connection.getState().kind).toBe('live');
  expect(asOf()).toBeNull();
  await send(HEARTBEAT, 3_000);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(connection.getState().kind).not.toBe('live');
  expect(asOf()).toBe(START + 3_000);
});

it('keeps that time while it connects again, until a snapshot comes or the list is read', async () => {
  connection.open();
  await send(SNAPSHOT);
  await vi.advanceTimersByTimeAsync(3_000);
  connection.pause();
  connection.resume();
  await send(HEARTBEAT, 2_000);
  expect(connection.getState().kind).toBe('connecting');
  expect(asOf()).toBe(START);
  connection.pause();
  await client.fetchQuery(statusesQuery);
  expect(asOf()).toBe(START + 5_000);
  connection.resume();
  await send(SNAPSHOT);
  expect(asOf()).toBeNull();
});

it('has the time of the list, where no stream has come before', async () => {
  expect(asOf()).toBeNull();
  await client.fetchQuery(statusesQuery);
  expect(asOf()).toBe(START);
});

it('is read as a list as soon as the stream is cut, and not again by each part of the page', async () => {
  connection.open();
  for (const cuts of [1, 2]) {
    await send(SNAPSHOT);
    stream.error(new Error('cut'));
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.getState().kind).toBe('waiting');
    const parts = [1, 2].map(() => new QueryObserver(client, statusesQuery));
    const ends: (() => void)[] = [];
    for (const part of parts) {
      ends.push(part.subscribe(() => {}));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(lists).toBe(cuts);
    for (const end of ends) end();
    connection.resume();
  }
});
