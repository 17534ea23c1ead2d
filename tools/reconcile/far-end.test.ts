import { describe, expect, it } from 'vitest';
import { FarEnd } from './far-end.js';

const event = (sequence: number, id = `evt_${sequence}`) => JSON.stringify({ event_id: id, sequence });

function holding(...lines: readonly string[]): FarEnd {
  const farEnd = new FarEnd();
  for (const line of lines) farEnd.add(line);
  return farEnd;
}

describe('what a far end holds', () => {
  it('counts events, repeats, and first arrivals after a later number', () => {
    const farEnd = holding(event(1), event(3), event(2), event(3), event(1), '', event(4));
    expect(farEnd).toMatchObject({ lines: 6, events: 4, repeats: 2, outOfOrder: 1, highest: 4 });
    expect([1, 2, 3, 4, 5].map((number) => farEnd.has(number))).toEqual([true, true, true, true, false]);
  });

  it.each([
    ['CloudWatch Logs', { timestamp: 1, message: event(7) }],
    [
      'Datadog',
      { id: 'x', attributes: { message: 'changed', attributes: { event_id: 'evt_7', sequence: 7 } } },
    ],
    ['the sandbox', { target: 'data_stream', address: 'arn', body: event(7) }],
  ])('reads what an export of %s wraps an event in', (_name, record) => {
    expect(holding(JSON.stringify(record)).has(7)).toBe(true);
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

  it('says when two events claim one number', () => {
    expect(holding(event(1), event(1, 'evt_other')).contradictions).toEqual([
      'Number 1 is held by evt_1 and by evt_other.',
    ]);
  });
});
