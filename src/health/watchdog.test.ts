import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startWatchdog } from './watchdog.js';

it('gives up once when something stays wrong, and not when it mends itself', async () => {
  let wrong: string | null = 'a turn of sweep does not end';
  const given: string[] = [];
  const end = startWatchdog(
    () => wrong,
    ({ message }) => given.push(message),
    { lookMs: 10, patienceMs: 200 },
  );
  await sleep(50);
  wrong = null;
  await sleep(300);
  expect(given).toEqual([]);
  wrong = 'the worker for log_group has ended';
  await sleep(600);
  expect(given).toEqual(['The worker makes no progress: the worker for log_group has ended.']);
  end();
});
