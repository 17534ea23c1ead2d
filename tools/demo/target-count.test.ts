import type { ReceivedEvent } from '@waybill/sandbox';
import { describe, expect, it } from 'vitest';
import { countTarget, isComplete } from './target-count.js';

function arrival(sequence: number, operation = `op_${sequence}`, afterMs = 10): ReceivedEvent {
  const at = Date.parse('2026-01-01T00:00:00.000Z');
  const event = {
    event_id: `evt_${sequence}`,
    event_timestamp: new Date(at).toISOString(),
    request: { operation_id: operation },
    sequence,
  };
  return {
    position: sequence,
    target: 'data_stream',
    address: 'a',
    body: JSON.stringify(event),
    receivedAtMs: at + afterMs,
  };
}

const operations = new Set(['op_1', 'op_2', 'op_3']);

describe('countTarget', () => {
  it('is complete when every operation arrived once and in order', () => {
    const result = countTarget([arrival(1, 'op_1', 10), arrival(2, 'op_2', 20), arrival(3, 'op_3', 90)], operations);
    expect(result).toEqual({
      expected: 3,
      delivered: 3,
      lost: 0,
      duplicates: 0,
      sequence_gaps: 0,
      out_of_order: 0,
      p50_ms: 20,
      p99_ms: 90,
    });
    expect(isComplete(result)).toBe(true);
  });

  it('counts what did not arrive as lost and as a gap', () => {
    const result = countTarget([arrival(1), arrival(3)], operations);
    expect(result).toMatchObject({ delivered: 2, lost: 1, sequence_gaps: 1 });
    expect(isComplete(result)).toBe(false);
  });

  it('counts repeats as duplicates, and neither as delivered nor as out of order', () => {
    const result = countTarget([arrival(1), arrival(2), arrival(1), arrival(3)], operations);
    expect(result).toMatchObject({ delivered: 3, duplicates: 1, out_of_order: 0 });
    expect(isComplete(result)).toBe(false);
  });

  it('counts events of other operations for the sequence only', () => {
    expect(countTarget([arrival(1, 'op_other'), arrival(2, 'op_1')], new Set(['op_1']))).toMatchObject({
      expected: 1,
      delivered: 1,
      lost: 0,
      sequence_gaps: 0,
    });
  });

  it('sees arrivals out of order', () => {
    const result = countTarget([arrival(2), arrival(1), arrival(3)], operations);
    expect(result).toMatchObject({ lost: 0, duplicates: 0, sequence_gaps: 0, out_of_order: 1 });
    expect(isComplete(result)).toBe(false);
  });

  it('calls everything lost when nothing arrived', () => {
    expect(countTarget([], operations)).toMatchObject({ lost: 3, p50_ms: 0, sequence_gaps: 0 });
  });
});
