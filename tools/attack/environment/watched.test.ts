import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Watch } from './watched.js';

/** Starts a process with a channel to this one. */
const start = (script: string) =>
  spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });

it('ends the process', async () => {
  const child = start(`process.on('message', () => {})`);
  await new Watch(child).close();
  expect(child.exitCode).toBe(0);
});

it('ends at once where the process has ended', async () => {
  const child = start('');
  await once(child, 'exit');
  await new Watch(child).close();
  expect(child.connected).toBe(false);
});
