import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

const cache = path.resolve(import.meta.dirname, '../../../node_modules/.cache/waybill-transpiled');

const options = { target: ts.ScriptTarget.ES2023, experimentalDecorators: true, emitDecoratorMetadata: true };

const formats = {
  module: { ...options, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  commonjs: { ...options, module: ts.ModuleKind.CommonJS, esModuleInterop: true },
};

let drafts = 0;

/**
 * Returns the JavaScript of a TypeScript module, without checking it. A run needs the same sources in several tests, so
 * the result is in a cache by its source. Several processes may use the cache at once.
 */
export async function transpile(source: string, format: keyof typeof formats = 'module'): Promise<string> {
  const compilerOptions = formats[format];
  // What the JavaScript of a source depends on, beside the source.
  const compiler = `${ts.version} ${JSON.stringify(compilerOptions)}`;
  const key = createHash('sha256').update(`${compiler}\0${source}`).digest('hex');
  const file = path.join(cache, `${key}.js`);
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== null) return known;
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  drafts += 1;
  const draft = path.join(cache, `${key}.${process.pid}.${drafts}`);
  await mkdir(cache, { recursive: true });
  await writeFile(draft, outputText);
  await rename(draft, file);
  return outputText;
}
