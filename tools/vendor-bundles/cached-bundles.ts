import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, exists, filesBelow } from '../build-cache/cached-folder.js';
import { bundleVendors } from './bundle.js';

/**
 * Returns a folder with the bundles of the vendors' clients, made when the cache has none of the installed packages.
 * Several processes may do this at once. Nothing changes in the folder after it was made.
 * @param root folder of the project
 */
export async function cachedBundles(root: string): Promise<string> {
  const files = await vendorFiles(root);
  return cachedFolder(root, {
    cache: 'waybill-vendor-bundles',
    inputs: [...(await filesBelow(root, 'tools/vendor-bundles')), ...files.map((file) => `src/${file}`)],
    make: async (draft) => {
      for (const [name, content] of await bundleVendors(root, files)) {
        const file = path.join(draft, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    },
  });
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
