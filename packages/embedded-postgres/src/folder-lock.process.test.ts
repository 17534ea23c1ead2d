import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder, type FolderLock } from './folder-lock.js';
import { silentLogger } from './logger.js';
import { ownIdentity } from './process-identity.js';

const times = { heartbeatMs: 50, staleAfterMs: 1_000 };
/** For locks that do not become stale, however slow the machine is. */
const patient = { ...times, staleAfterMs: 600_000 };
const lock = (folder: string, used = times): Promise<FolderLock> => lockFolder(folder, silentLogger, { times: used });

describe('lockFolder', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'embedded-postgres-lock-'));
    file = path.join(folder, 'lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Writes the lock of a process that has ended. */
  async function leaveDeadLock(change: Record<string, unknown> = {}): Promise<void> {
    const child = spawn('sleep', ['0']);
    await once(child, 'exit');
    const identity = { ...(await ownIdentity()), pid: child.pid, host: 'here', nonce: 'dead' };
    await writeFile(file, JSON.stringify({ ...identity, ...change }));
  }

  test('refuses a held lock, and names its owner', async () => {
    const held = await lock(folder);
    await expect(lock(folder)).rejects.toThrow(
      new RegExp(`Another process \\(${process.pid} on .*\\) uses the data folder ${folder}`),
    );
    await held.release();
  });

  test('takes a lock again after its release, which leaves no file', async () => {
    for (let round = 0; round < 3; round += 1) await (await lock(folder)).release();
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  test('takes the lock of a killed process at once', async () => {
    await leaveDeadLock();
    const held = await lock(folder, patient);
    await expect(readFile(file, 'utf8')).resolves.not.toContain('dead');
    await held.release();
  });

  test('takes the lock of a process whose id another process has', async () => {
    await leaveDeadLock({ pid: process.pid, startedAt: '1' });
    const held = await lock(folder);
    await expect(readFile(file, 'utf8')).resolves.not.toContain('dead');
    await held.release();
  });

  test('gives the lock of a dead owner to exactly one of many', async () => {
    for (let round = 0; round < 20; round += 1) {
      await leaveDeadLock({ nonce: `dead${round}` });
      const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => lock(folder)));
      const locks = attempts.flatMap((attempt): FolderLock[] =>
        attempt.status === 'fulfilled' ? [attempt.value] : [],
      );
      expect(locks).toHaveLength(1);
      await Promise.all(locks.map((held) => held.release()));
    }
  });

  test('takes the lock when the process that was taking it over was killed meanwhile', async () => {
    await leaveDeadLock({ nonce: 'first' });
    await writeFile(`${file}.takeover.first`, (await readFile(file, 'utf8')).replace('first', 'second'));
    await (await lock(folder)).release();
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  test('takes the lock when a process in another container was killed while it was taking it over', async () => {
    await leaveDeadLock({ nonce: 'first' });
    const dead = { ...JSON.parse(await readFile(file, 'utf8')), nonce: 'second', space: 'another container' };
    await writeFile(`${file}.takeover.first`, JSON.stringify(dead));
    const signal = AbortSignal.timeout(60_000);
    await (await lockFolder(folder, silentLogger, { times: { ...times, staleAfterMs: 100 }, signal })).release();
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  test('refuses a lock while an owner in another container touches it', async () => {
    await leaveDeadLock({ space: 'another container' });
    const beat = setInterval(() => void utimes(file, new Date(), new Date()), times.heartbeatMs);
    await expect(lock(folder, patient)).rejects.toMatchObject({ code: 'folder_in_use' });
    clearInterval(beat);
  });

  test('takes the lock of an owner in another container that no longer touches it', async () => {
    await leaveDeadLock({ space: 'another container' });
    const started = performance.now();
    await (await lock(folder)).release();
    expect(performance.now() - started).toBeGreaterThan(times.staleAfterMs - 50);
  });

  test('reports when another process has taken the lock', async () => {
    const held = await lock(folder);
    expect(held.lost.aborted).toBe(false);
    await leaveDeadLock();
    await once(held.lost, 'abort');
    await held.release();
    await expect(readFile(file, 'utf8')).resolves.toContain('dead');
  });

  test('touches the lock while it is held', async () => {
    const held = await lock(folder);
    await utimes(file, 0, 0);
    await expect.poll(async () => (await stat(file)).mtimeMs).toBeGreaterThan(0);
    await held.release();
  });
});
