import { expect, it } from 'vitest';
import { createStreamParser, type StreamEvent } from './event-stream.js';

function parsed(pieces: readonly string[]): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const parse = createStreamParser((event) => events.push(event));
  for (const piece of pieces) parse(piece);
  return events;
}

const STREAM = ': heartbeat\n\nevent: snapshot\ndata: {"a":1,\ndata: "b":2}\n\ndata:x: y\r\n\r\nevent: removed\n\n';

it('reads events, joins the lines of their data, and skips comments and events without data', () => {
  expect(parsed([STREAM])).toEqual([
    { event: 'snapshot', data: '{"a":1,\n"b":2}' },
    { event: 'message', data: 'x: y' },
  ]);
});

it('reads the same events from pieces of one character', () => {
  expect(parsed(STREAM.split(''))).toEqual(parsed([STREAM]));
});

it('does not report an event before its empty line', () => {
  expect(parsed(['event: changed\ndata: 1\n'])).toEqual([]);
});
