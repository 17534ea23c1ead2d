import { expect, it } from 'vitest';
import { isJobOf, jobIdAfter, jobName } from './job.js';

const event = (type: string) => ({ id: 'evt_1', type, sequence: 1 });

it('names a job after the type of its events, or mixed', () => {
  expect(jobName([event('a'), event('a')])).toBe('a');
  expect(jobName([event('a'), event('b')])).toBe('mixed');
  expect(jobName([])).toBe('mixed');
});

it('knows the jobs of a batch by their ids, also those that were added after deaths', () => {
  expect(isJobOf('bat_1', 'bat_1')).toBe(true);
  expect(isJobOf('bat_1', jobIdAfter('4711', 'bat_1'))).toBe(true);
  expect(isJobOf('bat_1', jobIdAfter('4711', 'bat_12'))).toBe(false);
  expect(isJobOf('bat_1', 'bat_12')).toBe(false);
  expect(isJobOf('bat_1', undefined)).toBe(false);
});
