import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compilePackage } from '../../packages/embedded-postgres/test/compile-package.js';
import { transpile } from '../../packages/embedded-postgres/test/transpile.js';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Compiles whole folders of the project, such as `src` and `tools`, for tests that run them in another process: Node 20
 * runs no TypeScript. The compiled modules can import the installed packages.
 * @returns a new temporary folder with these folders. Every account can read it; the caller removes it
 */
export async function compileFolders(...folders: readonly string[]): Promise<string> {
  const out = await makeFolder();
  for (const folder of folders) {
    const files = await readdir(path.join(root, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')))
      await compile(path.join(folder, file), out);
    // Threads, which are JavaScript.
    for (const file of files.filter((name) => name.endsWith('.mjs')))
      await copyFile(path.join(root, folder, file), path.join(out, folder, file));
  }
  return out;
}

async function makeFolder(): Promise<string> {
  const out = await mkdtemp(path.join(tmpdir(), 'waybill-compiled-'));
  await chmod(out, 0o755);
  await writeFile(path.join(out, 'package.json'), '{"type":"module"}');
  await linkModules(path.join(out, 'node_modules'));
  return out;
}

/** Links every installed package into `folder`, except those of this workspace, which it compiles. */
async function linkModules(folder: string): Promise<void> {
  const installed = path.join(root, 'node_modules');
  await mkdir(folder);
  for (const name of await readdir(installed)) {
    if (name !== '@waybill') await symlink(path.join(installed, name), path.join(folder, name));
  }
  for (const name of await readdir(path.join(root, 'packages'))) {
    // The command has nothing to compile.
    if (name !== 'cli') await compilePackage(path.join(folder, '@waybill', name), path.join(root, 'packages', name));
  }
}

/** Compiles one file, given by its path in the project. */
async function compile(file: string, out: string): Promise<void> {
  const target = path.join(out, file.replace(/\.ts$/, '.js'));
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, await transpile(await readFile(path.join(root, file), 'utf8')));
}
