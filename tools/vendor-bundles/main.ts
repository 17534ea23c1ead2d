import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedBundles } from './cached-bundles.js';

// Replaces each compiled `vendor.js` by its bundle. A process may run from `dist` meanwhile: files are
// replaced at once, and only where they differ.
const root = process.cwd();
const bundles = await cachedBundles(root);
const compiled = path.join(root, 'dist/src');
const files = (await readdir(bundles, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
for (const { name, parentPath } of files) {
  const source = path.join(parentPath, name);
  const target = path.join(compiled, path.relative(bundles, source));
  const content = await readFile(source, 'utf8');
  // The compiler's source map does not describe the bundle.
  await rm(`${target}.map`, { force: true });
  if ((await readFile(target, 'utf8').catch(() => null)) === content) continue;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(`${target}.new`, content);
  await rename(`${target}.new`, target);
}
