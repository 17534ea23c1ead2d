import { rm } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from '../build-cache/cached-folder.js';
import { replaceFile } from '../build-cache/replace-file.js';
import { cachedBundles } from './cached-bundles.js';

// Replaces each compiled `vendor.js` by its bundle.
const root = process.cwd();
const bundles = await cachedBundles(root);
for (const file of await filesBelow(bundles, '.')) {
  const target = path.join(root, 'dist/src', file);
  // The compiler's source map does not describe the bundle.
  await rm(`${target}.map`, { force: true });
  await replaceFile(path.join(bundles, file), target);
}
