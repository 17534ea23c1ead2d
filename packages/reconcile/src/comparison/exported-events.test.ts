import { describe, expect, it } from 'vitest';
import { ExportedEvents } from './exported-events.js';

const event = (sequence: number, id = `evt_${sequence}`) => JSON.stringify({ event_id: id, sequence });

function holding(...lines: readonly string[]): ExportedEvents {
  const exported = new ExportedEvents();
  for (const line of lines) exported.add(line);
  return exported;
}

describe('the events of an export', () => {
  it('count repeats and first arrivals after a higher sequence', () => {
    const exported = holding(event(1), event(3), event(2), event(3), event(1), '', event(4));
    expect(exported.counts).toMatchObject({ events: 4, repeats: 2, outOfOrder: 1 });
    expect([1, 2, 3, 4, 5].map((number) => exported.has({ epoch: 1, sequence: number }))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('keeps each other content of a repeated event once, in the order of the lines', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) =>
      JSON.stringify({ event_id: 'evt_1', sequence: 1, object: at % 7 }),
    );
    const exported = new ExportedEvents();
    lines.forEach((line, at) => exported.add(line, { file: 'a.ndjson', line: at + 1 }));
    expect(exported.versionsOf({ epoch: 1, sequence: 1 }).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it.each([
    ['CloudWatch Logs', { timestamp: 1, message: event(7) }],
    ['Datadog', { id: 'x', attributes: { message: 'changed', attributes: { event_id: 'evt_7', sequence: 7 } } }],
    ['the sandbox', { target: 'data_stream', address: 'arn', body: event(7) }],
  ])('reads an event wrapped by %s', (_name, record) => {
    expect(holding(JSON.stringify(record)).has({ epoch: 1, sequence: 7 })).toBe(true);
  });

  it.each([
    ['no JSON', 'is no JSON'],
    ['{"event_id":"evt_1"}', 'holds no event'],
    ['{"event_id":"evt_1","sequence":0}', 'holds no event'],
    ['{"message":{"message":{"message":{"message":{}}}}}', 'holds no event'],
    ['7', 'holds no event'],
  ])('refuses the line %s', (line, message) => {
    expect(() => holding(line)).toThrow(message);
  });

  it('keeps the numbers of epochs apart, and orders them by epoch first', () => {
    const later = JSON.stringify({ event_id: 'evt_new', epoch: 5, sequence: 1 });
    const exported = holding(event(1), event(2), later, event(3));
    expect(exported).toMatchObject({ counts: { events: 4, repeats: 0, outOfOrder: 1 }, otherEvents: [] });
    expect(exported.idOf({ epoch: 5, sequence: 1 })).toBe('evt_new');
    expect(exported.numbers(({ sequence }) => sequence !== 2)).toEqual([
      { epoch: 1, sequence: 1 },
      { epoch: 1, sequence: 3 },
      { epoch: 5, sequence: 1 },
    ]);
  });

  it('detects two events with one sequence', () => {
    expect(holding(event(1), event(1, 'evt_other')).otherEvents).toEqual([
      { epoch: 1, sequence: 1, event_id: 'evt_other', reason: 'Sequence 1 is held by evt_1 and by evt_other.' },
    ]);
  });
});
