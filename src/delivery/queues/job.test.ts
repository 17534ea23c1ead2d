import { expect, it } from 'vitest';
import { jobName } from './job.js';

const event = (type: string) => ({ id: 'evt_1', type, sequence: 1 });

it('a job has the name of its events’ type, or mixed', () => {
  expect(jobName([event('a'), event('a')])).toBe('a');
  expect(jobName([event('a'), event('b')])).toBe('mixed');
  expect(jobName([])).toBe('mixed');
});
