import { chmod, mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Compiles folders (or single files) of `src` into a new temporary folder that every account may read, so that a test can run
 * them in another process: Node 20 runs no TypeScript. Returns that folder; the caller removes it. The modules lie under its `src`, and find
 * the project's packages.
 */
export function compileSources(...folders: readonly string[]): Promise<string> {
  return compileFolders(...folders.map((folder) => path.join('src', folder)));
}

/** The same for folders of the project, such as `src` and `tools`. */
export async function compileFolders(...folders: readonly string[]): Promise<string> {
  const out = await mkdtemp(path.join(tmpdir(), 'waybill-compiled-'));
  await chmod(out, 0o755);
  await writeFile(path.join(out, 'package.json'), '{"type":"module"}');
  await symlink(path.join(root, 'node_modules'), path.join(out, 'node_modules'));
  for (const folder of folders) {
    const single = folder.endsWith('.ts');
    const entries = single ? [''] : await readdir(path.join(root, folder), { recursive: true });
    const files = entries.map((entry) => path.join(folder, entry));
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const source = await readFile(path.join(root, file), 'utf8');
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2023,
          verbatimModuleSyntax: true,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
        },
      });
      const target = path.join(out, file.replace(/\.ts$/, '.js'));
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, outputText);
    }
  }
  return out;
}
