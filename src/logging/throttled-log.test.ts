import { afterEach, expect, it, vi } from 'vitest';
import { createLogger } from './logger.js';
import { ThrottledLog } from './throttled-log.js';

afterEach(() => void vi.useRealTimers());

it('logs a recurring warning once in an interval, with its fields and the number of suppressed lines', () => {
  const lines: unknown[][] = [];
  const logger = createLogger('silent');
  logger.warn = (...line: unknown[]) => void lines.push(line);
  const log = new ThrottledLog(logger, 1_000);
  const error = new Error('down');
  for (let now = 0; now <= 1_000; now += 100) log.warn(error, 'store', { job: now }, now);
  log.warn(error, 'another', {}, 1_001);
  expect(lines).toEqual([
    [{ err: error, job: 0 }, 'store'],
    [{ err: error, job: 1_000, suppressed: 9 }, 'store'],
    [{ err: error }, 'another'],
  ]);
});

it('logs a warning again after an interval, also when the clock was set back', () => {
  vi.useFakeTimers();
  const logger = createLogger('silent');
  const write = vi.spyOn(logger, 'warn');
  const log = new ThrottledLog(logger, 1_000);
  log.warn(null, 'store');
  vi.advanceTimersByTime(1_000);
  vi.setSystemTime(Date.now() - 86_400_000);
  log.warn(null, 'store');
  expect(write).toHaveBeenCalledTimes(2);
});
