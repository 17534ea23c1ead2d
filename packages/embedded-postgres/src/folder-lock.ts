import { randomBytes } from 'node:crypto';
import { link, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Logger } from './logger.js';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';

/** The exclusive lock of a data folder. */
export interface FolderLock {
  /**
   * Aborts when another process holds the lock after all: this process was paused for long, or the file was removed.
   */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Timing of a lock. */
export interface LockTimes {
  /** How often the owner touches the lock file, in milliseconds. */
  readonly heartbeatMs: number;
  /** How long another process waits for a heartbeat before it takes the lock, in milliseconds. */
  readonly staleAfterMs: number;
}

const ownerSchema = z.object({
  pid: z.int().positive(),
  startedAt: z.string().nullable(),
  space: z.string(),
  host: z.string(),
  nonce: z.string(),
});

/** The owner in a lock file; the nonce distinguishes this lock from every other one. */
type Owner = z.infer<typeof ownerSchema> & ProcessIdentity;

const defaultTimes: LockTimes = { heartbeatMs: 5_000, staleAfterMs: 16_000 };

/**
 * Takes the lock of a folder. The lock of a process that has ended passes on at once; process id and start time
 * identify the owner, so a reused id does not count. An owner in another container or on another machine counts as
 * running if it touches the lock file while this process waits.
 *
 * Two processes cannot hold the lock: `link` creates the file and fails where one exists. The right to remove a dead
 * owner's lock is taken by `link` too, under the nonce of that lock, so no process removes the lock of a new owner,
 * unless it pauses for longer than a heartbeat may take while it removes the dead one's.
 * @throws EmbeddedPostgresError when another process holds the lock; the reason of `signal` when it aborts
 */
export async function lockFolder(
  folder: string,
  logger: Logger,
  { times = defaultTimes, signal }: { readonly times?: LockTimes; readonly signal?: AbortSignal } = {},
): Promise<FolderLock> {
  const wait: HeartbeatWait = { logger, times, signal };
  const file = path.join(folder, 'lock');
  const self: Owner = { ...(await ownIdentity()), nonce: randomBytes(12).toString('hex'), host: hostname() };
  while (!(await claim(file, self))) {
    signal?.throwIfAborted();
    const owner = await readOwner(file);
    if (owner === null) continue;
    if (await isAlive(file, owner, wait)) throw inUse(folder, owner);
    await removeDead(file, owner, self, wait);
  }
  await removeTakeovers(folder);
  const lost = new AbortController();
  const touch = async (): Promise<void> => {
    if (await keep(file, self)) return;
    clearInterval(heartbeat);
    logger.error({ folder }, 'another process has taken the data folder');
    lost.abort();
  };
  const heartbeat = setInterval(() => void touch(), times.heartbeatMs);
  heartbeat.unref();
  const release = async (): Promise<void> => {
    clearInterval(heartbeat);
    if ((await readOwner(file))?.nonce === self.nonce) await rm(file, { force: true });
  };
  return { lost: lost.signal, release };
}

/** Creates a lock file in one step. Returns false where one exists. */
async function claim(file: string, owner: Owner): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
  try {
    // Unlike a rename, a link fails where the file exists.
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the owner in a lock file, or null without a file. */
async function readOwner(file: string): Promise<Owner | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    throw new EmbeddedPostgresError(
      'lock_invalid',
      `${file} is not a lock of an embedded Postgres. Make sure that no process uses the folder, and remove the file.`,
    );
  }
}

/** What a wait for a heartbeat needs. */
interface HeartbeatWait {
  readonly logger: Logger;
  readonly times: LockTimes;
  readonly signal: AbortSignal | undefined;
}

async function isAlive(file: string, owner: Owner, { logger, times, signal }: HeartbeatWait): Promise<boolean> {
  const running = await isRunning(owner);
  if (running !== 'unknown') return running === 'yes';
  logger.info(
    { file, host: owner.host, pid: owner.pid, seconds: times.staleAfterMs / 1000 },
    'another container or machine used the data folder last; waiting for its heartbeat',
  );
  const touchedAt = async (): Promise<number | null> => (await stat(file).catch(() => null))?.mtimeMs ?? null;
  const before = await touchedAt();
  const deadline = performance.now() + times.staleAfterMs;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    await sleep(Math.min(250, times.heartbeatMs));
    const now = await touchedAt();
    if (now === null) return false;
    if (now !== before) return true;
  }
  return false;
}

/** Removes the lock of an owner that has ended, if this process wins the right to. */
async function removeDead(file: string, owner: Owner, self: Owner, wait: HeartbeatWait): Promise<void> {
  const takeover = `${file}.takeover.${owner.nonce}`;
  if (await claim(takeover, self)) {
    if ((await readOwner(file))?.nonce === owner.nonce) await rm(file, { force: true });
    return;
  }
  const other = await readOwner(takeover);
  // A takeover takes milliseconds. Where its file stays as long as a heartbeat may take, its process has died.
  const hasDied = other !== null && !(await isAlive(takeover, other, wait)) && (await readOwner(takeover)) !== null;
  if (hasDied) await removeDead(takeover, other, self, wait);
  else await sleep(20);
}

async function removeTakeovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('lock.takeover.')) await rm(path.join(folder, name), { force: true });
  }
}

/** Touches the lock file. Returns false when another process owns it. */
async function keep(file: string, self: Owner): Promise<boolean> {
  try {
    if ((await readOwner(file))?.nonce !== self.nonce) return false;
    const now = new Date();
    await utimes(file, now, now);
    return true;
  } catch {
    return true; // Postgres itself reports a failing disk.
  }
}

function inUse(folder: string, owner: Owner): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'folder_in_use',
    `Another process (${owner.pid} on ${owner.host}) uses the data folder ${folder}.`,
  );
}
