import { expect, it } from 'vitest';
import { arrivalsOf } from './black-holes.js';

const event = (address: string, sequence: number, operation: string, receivedAtMs: number) => ({
  address,
  body: JSON.stringify({ sequence, request: { operation_id: operation } }),
  receivedAtMs,
});

it('counts a repeat apart, so that it hides no loss', () => {
  const responses = ['op_1', 'op_2'].map((operationId) => ({ status: 200, operationId, atMs: 100 }));
  const received = [
    event('a', 1, 'op_before', 50),
    event('a', 2, 'op_1', 110),
    event('b', 2, 'op_1', 120),
    event('a', 2, 'op_1', 900),
    event('a', 3, 'op_2', 95),
  ];
  expect(arrivalsOf(received, responses)).toEqual({ latencies: [10, 20, 0], repeats: 1 });
});
