import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { transpile } from './transpile.js';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
const esmEntries = path.resolve(root, '../../tools/esm-entries.mjs');

/**
 * Compiles a package of the workspace into `folder`, for tests that run it in another process: Node 20 runs no
 * TypeScript.
 * @param from the folder of the package. Default: this one
 */
export async function compilePackage(folder: string, from = root): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(path.join(from, 'package.json'), path.join(folder, 'package.json'));
  // The packages with a `main` are CommonJS, with entry points for `import`.
  const { main } = JSON.parse(await readFile(path.join(from, 'package.json'), 'utf8')) as { readonly main?: string };
  const files = await readdir(path.join(from, 'src'), { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const outputText = await transpile(
      await readFile(path.join(from, 'src', file), 'utf8'),
      main ? 'commonjs' : 'module',
    );
    const compiled = path.join(folder, 'dist', file.replace(/\.ts$/, '.js'));
    await mkdir(path.dirname(compiled), { recursive: true });
    await writeFile(compiled, outputText);
  }
  if (main) await run(process.execPath, [esmEntries, folder]);
}
