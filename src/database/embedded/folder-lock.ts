import { randomBytes } from 'node:crypto';
import { readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createOnce } from '../../files/atomic-file.js';
import type { Logger } from '../../logging/logger.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';

/** The right to open a data folder, which one process at a time has. */
export interface FolderLock {
  /** Aborted if the lock has become another's all the same: this process was paused for long, or someone removed it. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** How often the owner touches the lock, and how long another waits to see that, in milliseconds. */
export interface LockTimes {
  readonly beatMs: number;
  readonly patienceMs: number;
}

const ownerSchema = z.object({
  pid: z.int().positive(),
  startedAt: z.string().nullable(),
  space: z.string(),
  host: z.string(),
  nonce: z.string(),
});

/** Who holds a lock, as its file says; the nonce tells this holding of it from every other. */
type Owner = z.infer<typeof ownerSchema> & ProcessIdentity;

const defaultTimes: LockTimes = { beatMs: 5_000, patienceMs: 16_000 };

/**
 * Takes the lock of a folder. A lock whose owner is gone, however it ended, is taken over at once; the owner is known by its
 * process number and start time, so another process that got its number does not count. An owner that cannot be seen from here
 * (another container or machine on the same volume) is alive if it touches the lock while we wait.
 *
 * Why no two can hold it: a lock appears whole by `link`, which fails if there is one; and the right to remove a dead owner's lock
 * is itself taken by `link`, under the nonce of that very lock, so nobody ever removes a lock that has meanwhile become another's.
 * @throws EmbeddedPostgresError when another process holds it.
 */
export async function lockFolder(
  folder: string,
  logger: Logger,
  times: LockTimes = defaultTimes,
): Promise<FolderLock> {
  const file = path.join(folder, 'lock');
  const self: Owner = { ...(await ownIdentity()), nonce: randomBytes(12).toString('hex'), host: hostname() };
  while (!(await claim(file, self))) {
    const owner = await readOwner(file);
    if (owner === null) continue;
    if (await isAlive(file, owner, logger, times)) throw inUse(folder, owner);
    await removeDead(file, owner, self);
  }
  await removeTakeovers(folder);
  const lost = new AbortController();
  const touch = async (): Promise<void> => {
    if (await keep(file, self)) return;
    clearInterval(beat);
    logger.error({ folder }, 'another process has taken the data folder');
    lost.abort();
  };
  const beat = setInterval(() => void touch(), times.beatMs);
  beat.unref();
  const release = async (): Promise<void> => {
    clearInterval(beat);
    if ((await readOwner(file))?.nonce === self.nonce) await rm(file, { force: true });
  };
  return { lost: lost.signal, release };
}

/** Takes the lock that `file` is, unless somebody has it. */
function claim(file: string, owner: Owner): Promise<boolean> {
  return createOnce(file, JSON.stringify(owner));
}

/** Who holds the lock; null when nobody does. */
async function readOwner(file: string): Promise<Owner | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    throw new EmbeddedPostgresError(
      `${file} is not a lock of Waybill. Make sure that no Waybill uses the folder, and remove it.`,
    );
  }
}

async function isAlive(file: string, owner: Owner, logger: Logger, times: LockTimes): Promise<boolean> {
  const running = await isRunning(owner);
  if (running !== 'unknown') return running === 'yes';
  logger.info(
    { file, host: owner.host, pid: owner.pid, seconds: times.patienceMs / 1000 },
    'the data folder was last used from another container or machine: waiting to see whether it still is',
  );
  const touched = async (): Promise<number | null> => (await stat(file).catch(() => null))?.mtimeMs ?? null;
  const before = await touched();
  const deadline = performance.now() + times.patienceMs;
  while (performance.now() < deadline) {
    await sleep(Math.min(250, times.beatMs));
    const now = await touched();
    if (now === null) return false;
    if (now !== before) return true;
  }
  return false;
}

/** Removes the lock of `owner`, who is gone, if it falls to us to do so. */
async function removeDead(file: string, owner: Owner, self: Owner): Promise<void> {
  const takeover = `${file}.takeover.${owner.nonce}`;
  if (await claim(takeover, self)) {
    if ((await readOwner(file))?.nonce === owner.nonce) await rm(file, { force: true });
    return;
  }
  const other = await readOwner(takeover);
  // Another is taking it over. If that one died while doing so, its right passes on in the same way.
  if (other && (await isRunning(other)) === 'no') await removeDead(takeover, other, self);
  else await sleep(20);
}

async function removeTakeovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('lock.takeover.')) await rm(path.join(folder, name), { force: true });
  }
}

/** Touches our lock; false when it is no longer ours. */
async function keep(file: string, self: Owner): Promise<boolean> {
  try {
    if ((await readOwner(file))?.nonce !== self.nonce) return false;
    const now = new Date();
    await utimes(file, now, now);
    return true;
  } catch {
    return true; // A failing disk is Postgres's to report.
  }
}

function inUse(folder: string, owner: Owner): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another Waybill (process ${owner.pid} on ${owner.host}) uses the data folder ${folder}. Stop it, give this one a DATA_DIR ` +
      'of its own, or set DATABASE_URL: a Postgres server can be shared, an embedded one cannot.',
  );
}
