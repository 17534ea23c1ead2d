import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const manifestSchema = z.object({ name: z.string(), version: z.string() });

/** A copy of the programs. */
export interface StagedPrograms {
  readonly folder: string;
  /** Removes the copy if it is for one start only. */
  readonly dispose: () => Promise<void>;
}

/** Where root keeps programs that every account may read: never cleaned while they run, as a temporary folder may be. */
const SYSTEM_CACHE = '/var/cache/waybill';

const nothing = (): Promise<void> => Promise.resolve();

/**
 * Makes the links between libraries that npm packages cannot carry: the package lists them in `pg-symlinks.json`, by paths
 * from its root. Says whether links were missing, and whether they could be made.
 */
export async function linkLibraries(folder: string): Promise<'complete' | 'made' | 'not_allowed'> {
  const list = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = linksSchema.parse(JSON.parse(list));
  let made = false;
  for (const { source, target } of links) {
    const link = path.join(folder, '..', target);
    try {
      await symlink(path.relative(path.dirname(target), source), link);
      made = true;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EEXIST') continue;
      if (await lstat(link).catch(() => null)) continue;
      return 'not_allowed';
    }
  }
  return made ? 'made' : 'complete';
}

/** Copies the programs to where only root writes and every account reads; a copy of the same version is used again. */
export async function stageForAccount(installed: string): Promise<StagedPrograms> {
  try {
    await mkdir(SYSTEM_CACHE, { recursive: true });
    await chmod(SYSTEM_CACHE, 0o755);
  } catch {
    // A system whose /var cannot be written: a copy for this start only.
    const temporary = await mkdtemp(path.join(tmpdir(), 'waybill-postgres-'));
    await chmod(temporary, 0o755);
    const folder = await copyOnce(temporary, installed);
    return { folder, dispose: () => rm(temporary, { recursive: true, force: true }) };
  }
  const { uid, mode } = await lstat(SYSTEM_CACHE);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      `${SYSTEM_CACHE} can be written by others than root: no programs are run from there.`,
    );
  }
  return { folder: await copyOnce(SYSTEM_CACHE, installed), dispose: nothing };
}

/** Copies the programs into a folder of the user's own. */
export async function stageInside(dataDir: string, installed: string): Promise<StagedPrograms> {
  return { folder: await copyOnce(dataDir, installed), dispose: nothing };
}

/** The copy inside `parent`, made unless it is there. It appears whole or not at all, whoever else makes it meanwhile. */
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
    await openToAll(draft);
    await linkLibraries(folder);
    await rename(draft, copy);
  } catch (error) {
    if (!(await lstat(finished).catch(() => null))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return finished;
}

/** Lets every account read the copy, whatever the umask of the installation was. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(file);
    else if (entry.isFile()) await chmod(file, path.basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
