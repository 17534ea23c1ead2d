import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');

/** Compiles this package into `folder`, for tests that run it in another process: Node 20 runs no TypeScript. */
export async function compilePackage(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'dist'), { recursive: true });
  await copyFile(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  const files = await readdir(path.join(root, 'src'));
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const source = await readFile(path.join(root, 'src', file), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
      },
    });
    await writeFile(path.join(folder, 'dist', file.replace(/\.ts$/, '.js')), outputText);
  }
}
