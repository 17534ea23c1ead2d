import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, filesBelow } from '../build-cache/cached-folder.js';
import { installFolder } from '../build-cache/install-folder.js';
import { bundleService } from './bundle.js';

/** Folders with modules of the service. */
const SOURCES = ['src', 'packages/embedded-postgres/src', 'packages/reconcile/src', 'packages/verify/src'];

/**
 * Puts the bundle of the service to a folder, made again when a module of it or an installed package has changed.
 * Several processes may do this at once.
 * @param root folder of the project
 * @param target folder beside that of the compiled `src`, such as `dist/service`
 */
export async function installService(root: string, target: string): Promise<void> {
  const files = (await Promise.all(SOURCES.map((folder) => filesBelow(root, folder)))).flat();
  const bundle = await cachedFolder(root, {
    cache: 'waybill-service',
    inputs: [
      'tsconfig.json',
      ...(await filesBelow(root, 'tools/service-bundle')),
      ...files.filter((file) => !file.endsWith('.test.ts')),
    ],
    make: async (draft) => {
      for (const [name, content] of await bundleService(root)) await writeFile(path.join(draft, name), content);
    },
  });
  await installFolder(bundle, target, 'main.js');
}
