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

it('does not wait for the answer of a process that ends', async () => {
  const watch = new Watch(start(`process.on('message', () => process.exit())`));
  await expect(watch.take()).rejects.toHaveProperty('cause.message', 'The process that watches the service has ended.');
});
