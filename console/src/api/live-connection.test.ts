import type { EventSourceMessage } from 'eventsource-parser';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LiveConnection } from './live-connection.js';

const SNAPSHOT = 'event: snapshot\ndata: {}\n\n';

/** A page that can be hidden. */
class FakeDocument extends EventTarget {
  hidden = false;
}

let page: FakeDocument;
/** What the server does with each connection, in order. */
let responses: ((signal: AbortSignal) => Response)[];
let connections: AbortSignal[];
let events: EventSourceMessage[];
let signedOut: number;
let connection: LiveConnection;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakeDocument();
  responses = [];
  connections = [];
  events = [];
  signedOut = 0;
  vi.stubGlobal('document', page);
  vi.stubGlobal('fetch', (_address: string, { signal }: { signal: AbortSignal }) => {
    connections.push(signal);
    return Promise.resolve((responses.shift() ?? openStream)(signal));
  });
  connection = new LiveConnection(
    '/stream',
    (event) => events.push(event),
    () => (signedOut += 1),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A stream that begins with a snapshot and stays open. */
function openStream(signal: AbortSignal): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (control) => {
      control.enqueue(new TextEncoder().encode(SNAPSHOT));
      signal.addEventListener('abort', () => control.error(signal.reason));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** A stream that ends after a snapshot, as at a deploy. */
function endingStream(): Response {
  return new Response(SNAPSHOT, { headers: { 'content-type': 'text/event-stream' } });
}

function refusal(status: number): () => Response {
  const problem = { status, error_code: 'some_code', detail: 'Refused.', operation_id: 'op_1' };
  return () => new Response(JSON.stringify(problem), { status });
}

/** Lets everything run that waits for nothing but promises. */
function settle(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(0);
}

it('is live after the first event', async () => {
  connection.open();
  expect(connection.getState().kind).toBe('connecting');
  await settle();
  expect([connection.getState().kind, events.map(({ event }) => event)]).toEqual(['live', ['snapshot']]);
});

it('connects again after the server ended the stream', async () => {
  responses = [endingStream];
  connection.open();
  await settle();
  expect(connection.getState()).toMatchObject({ kind: 'waiting', error: null });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([connection.getState().kind, connections.length]).toEqual(['live', 2]);
});

it('waits longer after each failure, at most 30 seconds, and says why it failed', async () => {
  responses = Array.from({ length: 12 }, () => refusal(503));
  connection.open();
  await settle();
  const waits: number[] = [];
  for (let failure = 0; failure < 8; failure += 1) {
    const state = connection.getState();
    if (state.kind !== 'waiting') throw new Error(`The connection is ${state.kind}.`);
    expect(state.error).toMatchObject({ message: 'Refused.' });
    waits.push(state.retryAt - Date.now());
    await vi.advanceTimersByTimeAsync(state.retryAt - Date.now());
  }
  for (const [index, wait] of waits.entries()) {
    const limit = Math.min(30_000, 1_000 * 2 ** index);
    expect(wait).toBeGreaterThanOrEqual(limit / 2);
    expect(wait).toBeLessThanOrEqual(limit);
  }
});

it('is closed by a pause, and connects at once when it is resumed', async () => {
  connection.open();
  await settle();
  connection.pause();
  expect([connection.getState().kind, connections[0]?.aborted]).toEqual(['paused', true]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(connections).toHaveLength(1);
  connection.resume();
  await settle();
  expect([connection.getState().kind, connections.length]).toEqual(['live', 2]);
});

it('gives up a connection on which nothing arrives for 8 seconds, and says so', async () => {
  connection.open();
  await settle();
  await vi.advanceTimersByTimeAsync(7_000);
  expect(connections[0]?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(connections[0]?.aborted).toBe(true);
  await settle();
  expect(connection.getState()).toMatchObject({
    kind: 'waiting',
    error: { message: expect.stringContaining('has sent nothing for 8 seconds') },
  });
});

it('is closed while the page is hidden for longer, and connects again when it is shown', async () => {
  connection.open();
  await settle();
  page.hidden = true;
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(connection.getState().kind).toBe('live');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(connection.getState().kind).toBe('paused');
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(connection.getState().kind).toBe('live');
});

it('is closed after the same time when it begins on a hidden page', async () => {
  page.hidden = true;
  connection.open();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(connection.getState().kind).toBe('live');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([connection.getState().kind, connections[0]?.aborted]).toEqual(['paused', true]);
});

it('stays paused when a person paused it and shows the page again', async () => {
  connection.open();
  await settle();
  connection.pause();
  page.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect([connection.getState().kind, connections.length]).toEqual(['paused', 1]);
});

it('reports the end of the session, and does not connect again', async () => {
  responses = [refusal(401)];
  connection.open();
  await settle();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([signedOut, connections.length]).toEqual([1, 1]);
});

it('is shared by the parts of a page, and closed after the last one', async () => {
  const closeFirst = connection.open();
  const closeSecond = connection.open();
  await settle();
  expect(connections).toHaveLength(1);
  closeFirst();
  expect(connection.getState().kind).toBe('live');
  closeSecond();
  expect(connections[0]?.aborted).toBe(true);
});
