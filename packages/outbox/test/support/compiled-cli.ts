import { mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Compiles this package, for tests that run its command line: Node 20 runs no TypeScript.
 * @returns a new temporary folder with `cli.js`, which the caller removes
 */
export async function compileCli(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-outbox-'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await symlink(path.resolve(root, '../../node_modules'), path.join(folder, 'node_modules'));
  const files = await readdir(path.join(root, 'src'), { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const source = await readFile(path.join(root, 'src', file), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
      },
    });
    const target = path.join(folder, file.replace(/\.ts$/, '.js'));
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, outputText);
  }
  return folder;
}
