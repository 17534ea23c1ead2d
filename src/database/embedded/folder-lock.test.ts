import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { lockFolder, type FolderLock } from './folder-lock.js';
import { ownIdentity } from './process-identity.js';

const logger = createLogger('silent');
const times = { beatMs: 50, patienceMs: 1_000 };

describe('the lock of a data folder', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waybill-lock-'));
    file = path.join(folder, 'lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Leaves the lock of a process that has ended. */
  async function leaveDeadLock(change: Record<string, unknown> = {}): Promise<void> {
    const child = spawn('sleep', ['0']);
    await once(child, 'exit');
    const identity = { ...(await ownIdentity()), pid: child.pid, host: 'here', nonce: 'dead' };
    await writeFile(file, JSON.stringify({ ...identity, ...change }));
  }

  test('is refused while another holds it, in words that name the holder and the ways out', async () => {
    const lock = await lockFolder(folder, logger, times);
    await expect(lockFolder(folder, logger, times)).rejects.toThrow(
      new RegExp(`process ${process.pid} on .*${folder}.*DATA_DIR.*DATABASE_URL`),
    );
    await lock.release();
  });

  test('can be taken again after its release, and a release leaves nothing behind', async () => {
    for (let round = 0; round < 3; round += 1) await (await lockFolder(folder, logger, times)).release();
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  test('passes at once from a process that was killed', async () => {
    await leaveDeadLock();
    const started = performance.now();
    await (await lockFolder(folder, logger, times)).release();
    expect(performance.now() - started).toBeLessThan(times.patienceMs);
  });

  test('passes from a process whose number another process has now', async () => {
    await leaveDeadLock({ pid: process.pid, startedAt: '1' });
    const lock = await lockFolder(folder, logger, times);
    await expect(readFile(file, 'utf8')).resolves.not.toContain('dead');
    await lock.release();
  });

  test('goes to exactly one of many that find it dead', async () => {
    for (let round = 0; round < 20; round += 1) {
      await leaveDeadLock({ nonce: `dead${round}` });
      const attempts = await Promise.allSettled(
        Array.from({ length: 12 }, () => lockFolder(folder, logger, times)),
      );
      const locks = attempts.flatMap((attempt): FolderLock[] =>
        attempt.status === 'fulfilled' ? [attempt.value] : [],
      );
      expect(locks).toHaveLength(1);
      await Promise.all(locks.map((lock) => lock.release()));
    }
  });

  test('passes on when the one that was taking it over was killed before it could', async () => {
    await leaveDeadLock({ nonce: 'first' });
    await writeFile(`${file}.takeover.first`, (await readFile(file, 'utf8')).replace('first', 'second'));
    await (await lockFolder(folder, logger, times)).release();
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  test('is refused while a holder that cannot be seen from here touches it', async () => {
    await leaveDeadLock({ space: 'another container' });
    const beat = setInterval(() => void utimes(file, new Date(), new Date()), times.beatMs);
    await expect(lockFolder(folder, logger, times)).rejects.toThrow('Another Waybill');
    clearInterval(beat);
  });

  test('passes from a holder that cannot be seen from here and no longer touches it', async () => {
    await leaveDeadLock({ space: 'another container' });
    const started = performance.now();
    await (await lockFolder(folder, logger, times)).release();
    expect(performance.now() - started).toBeGreaterThan(times.patienceMs - 50);
  });

  test('tells its holder when it has become another’s', async () => {
    const lock = await lockFolder(folder, logger, times);
    expect(lock.lost.aborted).toBe(false);
    await leaveDeadLock();
    await once(lock.lost, 'abort');
    await lock.release();
    await expect(readFile(file, 'utf8')).resolves.toContain('dead');
  });

  test('is touched by its holder', async () => {
    const lock = await lockFolder(folder, logger, times);
    await utimes(file, 0, 0);
    await expect.poll(async () => (await stat(file)).mtimeMs).toBeGreaterThan(0);
    await lock.release();
  });
});
