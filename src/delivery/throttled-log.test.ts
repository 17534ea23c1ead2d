import { expect, it } from 'vitest';
import { createLogger } from '../logging/logger.js';
import { ThrottledLog } from './throttled-log.js';

it('writes a recurring warning once in an interval, with how many were left out', () => {
  const lines: unknown[][] = [];
  const logger = createLogger('silent');
  logger.warn = (...line: unknown[]) => void lines.push(line);
  const log = new ThrottledLog(logger, 1_000);
  const error = new Error('down');
  for (let now = 0; now <= 1_000; now += 100) log.warn(error, 'store', now);
  log.warn(error, 'another', 1_001);
  expect(lines).toEqual([
    [{ err: error }, 'store'],
    [{ err: error, left_out: 9 }, 'store'],
    [{ err: error }, 'another'],
  ]);
});
