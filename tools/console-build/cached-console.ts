import { createRequire } from 'node:module';
import path from 'node:path';
import { cachedFolder, filesBelow } from '../build-cache/cached-folder.js';
import { installFolder } from '../build-cache/install-folder.js';
import { buildConsole } from './build-console.js';

/**
 * Returns a folder with the built console, built when a file of it or an installed package has changed.
 * @param root folder of the project
 * @throws Error when the packages of the console are not installed, or the build fails
 */
export async function cachedConsole(root: string): Promise<string> {
  assertInstalled(root);
  const folders = ['console', 'packages/reconcile/src', 'packages/verify/src'];
  const files = (await Promise.all(folders.map((folder) => filesBelow(root, folder)))).flat();
  const sources = files.filter((file) => !file.endsWith('.test.ts'));
  return cachedFolder(root, {
    cache: 'waybill-console',
    inputs: [...(await filesBelow(root, 'tools/console-build')), ...sources],
    make: (draft) => buildConsole(root, draft),
  });
}

/**
 * Puts the built console to `dist/console`, from where the service serves it.
 * @param root folder of the project
 */
export async function installConsole(root: string): Promise<void> {
  await installFolder(await cachedConsole(root), path.join(root, 'dist/console'), 'index.html');
}

/** @throws Error when the packages of the console are not installed, as after an update of the sources */
function assertInstalled(root: string): void {
  try {
    createRequire(path.join(root, 'console/package.json')).resolve('react-aria-components/package.json');
  } catch (error) {
    throw new Error('The packages of the console are not installed. Run "npm ci", or "npm install".', { cause: error });
  }
}
