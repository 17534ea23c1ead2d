import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Number of folders that are kept in a cache: other processes may read them. */
const KEPT = 8;

/** Begins the names of folders that are being made or removed. */
const DRAFT = 'draft-';

/** A folder that is made from files of the project, and kept while they are the same. */
export interface CachedFolder {
  /** Name of its cache below `node_modules/.cache`. */
  readonly cache: string;
  /** Paths of the files that it is made from, from the folder of the project. The installed packages are added. */
  readonly inputs: readonly string[];
  /** Makes the content in an empty folder. */
  readonly make: (folder: string) => Promise<void>;
}

/**
 * Returns the path of a cached folder, made when there is none for the present inputs. Several processes may do this at
 * once. Nothing changes in the folder until it is removed, when several newer ones are there.
 * @param root folder of the project
 */
export async function cachedFolder(root: string, { cache, inputs, make }: CachedFolder): Promise<string> {
  const parent = path.join(root, 'node_modules/.cache', cache);
  const folder = path.join(parent, await keyOf(root, inputs));
  if (await exists(folder)) return folder;
  await mkdir(parent, { recursive: true });
  const draft = await mkdtemp(path.join(parent, DRAFT));
  try {
    await make(draft);
    await rename(draft, folder);
    await removeOld(parent);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster: a folder with content cannot be replaced.
    if (!(await exists(folder))) throw error;
  }
  return folder;
}

/** Removes all but the folders of a cache that were made last. None is seen with a part of its content. */
async function removeOld(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => !name.startsWith(DRAFT));
  const folders = names.map((name) => path.join(parent, name));
  const made = await Promise.all(folders.map(async (folder) => ({ folder, at: (await stat(folder)).mtimeMs })));
  const old = made.toSorted((a, b) => b.at - a.at).slice(KEPT);
  for (const { folder } of old) {
    const removed = await mkdtemp(path.join(parent, DRAFT));
    await rename(folder, removed);
    await rm(removed, { recursive: true });
  }
}

/** Returns the paths of all files below a folder of the project, from the folder of the project. */
export async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => path.relative(root, path.join(parentPath, name)))
    .toSorted();
}

/** Whether there is a file or folder at the path. */
export function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Returns a key of the inputs, the installed packages, and the tools that make a folder. */
async function keyOf(root: string, inputs: readonly string[]): Promise<string> {
  const tools = await filesBelow(root, 'tools/build-cache');
  const hash = createHash('sha256');
  for (const input of ['node_modules/.package-lock.json', ...tools, ...inputs])
    hash.update(`${input}\0`).update(await readFile(path.join(root, input)));
  return hash.digest('hex').slice(0, 16);
}
