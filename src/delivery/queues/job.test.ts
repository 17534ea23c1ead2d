import { expect, it } from 'vitest';
import { jobName } from './job.js';

const event = (type: string) => ({ id: 'evt_1', type, sequence: 1 });

it('names a job after the type of its events, or mixed', () => {
  expect(jobName([event('a'), event('a')])).toBe('a');
  expect(jobName([event('a'), event('b')])).toBe('mixed');
  expect(jobName([])).toBe('mixed');
});
