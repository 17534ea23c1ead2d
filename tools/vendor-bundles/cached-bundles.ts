import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleVendors } from './bundle.js';

/**
 * Returns a folder with the bundles of the vendors' clients, made when the cache has none of the installed packages.
 * Several processes may do this at once. Nothing changes in the folder after it was made.
 * @param root folder of the project
 */
export async function cachedBundles(root: string): Promise<string> {
  const files = await vendorFiles(root);
  const cache = path.join(root, 'node_modules/.cache/waybill-vendor-bundles');
  const folder = path.join(cache, await keyOf(root, files));
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(path.join(cache, 'draft-'));
  try {
    for (const [name, content] of await bundleVendors(root, files)) {
      const file = path.join(draft, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster: a folder with content cannot be replaced.
    if (!(await exists(folder))) throw error;
  }
  return folder;
}

/** Folders of `src` whose folders may import a vendor's package, each in one file. */
const parents = ['targets', 'exports'];

/** Returns the paths of the files in `src` that import a vendor's package at run time. */
async function vendorFiles(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const parent of parents) {
    const entries = await readdir(path.join(root, 'src', parent), { withFileTypes: true });
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const file = `${parent}/${name}/vendor.ts`;
      if (await exists(path.join(root, 'src', file))) found.push(file);
    }
  }
  return found;
}

/** Returns a key of the installed packages, the files that import them, and the sources of these tools. */
async function keyOf(root: string, files: readonly string[]): Promise<string> {
  const tools = (await readdir(path.join(root, 'tools/vendor-bundles'))).filter((name) => name.endsWith('.ts'));
  const inputs = [
    'node_modules/.package-lock.json',
    ...tools.map((name) => `tools/vendor-bundles/${name}`),
    ...files.map((file) => `src/${file}`),
  ];
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(`${input}\0`).update(await readFile(path.join(root, input)));
  return hash.digest('hex').slice(0, 16);
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
