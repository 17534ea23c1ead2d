import { expect, it } from 'vitest';
import { ConnectionError, ProblemError } from './problem.js';
import { isRepeated, patient } from './retries.js';

function problem(status: number, retryAfterSeconds: number | null = null): ProblemError {
  const fields = { type: 'about:blank', title: 'x', detail: 'x', error_code: 'x', operation_id: 'op_1', instance: '' };
  return new ProblemError({ ...fields, status } as unknown as ProblemError['problem'], retryAfterSeconds);
}

it('repeats what did not reach the service, twice', () => {
  expect([0, 1, 2].map((failures) => isRepeated(failures, new ConnectionError('x')))).toEqual([true, true, false]);
  expect(isRepeated(0, problem(503))).toBe(true);
});

it('repeats no refusal', () => {
  expect(isRepeated(0, problem(404))).toBe(false);
  expect(isRepeated(0, problem(429))).toBe(false);
});

it('waits in long work for as long as the API says', () => {
  expect(patient.retry(7, problem(429, 3))).toBe(true);
  expect(patient.retryDelay(7, problem(429, 3))).toBe(3_000);
  expect(patient.retry(7, problem(400))).toBe(false);
  expect(patient.retryDelay(9, problem(503))).toBe(30_000);
});
