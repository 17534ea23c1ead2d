import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

const packageFolder = path.resolve(import.meta.dirname, '../..');
const generatedFolder = path.join(packageFolder, 'examples/generated');

/** An example of the documentation as a function. */
export type Example = (context: unknown) => Promise<unknown>;

/** An example of the documentation, and what it needs. */
export interface ExampleSource {
  /** Of the comment `<!-- example: NAME -->` before the block. */
  readonly name: string;
  /** The file in `examples` with its context. Default: the name. */
  readonly setup?: string;
  /** The page, relative to the package. */
  readonly page: string;
  /** The members of the context that the block uses. */
  readonly uses: readonly string[];
  /** What the block declares and the test needs. */
  readonly returns?: string;
  /** Types beside the context that the block uses. */
  readonly types?: readonly string[];
}

/**
 * Returns the lines of an example.
 * @throws Error when the page has no block of TypeScript after the comment
 */
export async function exampleLines({ name, page }: ExampleSource): Promise<readonly string[]> {
  const text = await readFile(path.join(packageFolder, page), 'utf8');
  const [, block] = text.split(`<!-- example: ${name} -->`)[1]?.match(/^\s*```ts\n([\s\S]*?)```/) ?? [];
  if (block === undefined) throw new Error(`${page} has no example ${name}.`);
  return block.trimEnd().split('\n');
}

/** The examples of the documentation as modules, in a folder of their own. */
export class DocumentedExamples {
  private constructor(private readonly folder: string) {}

  /**
   * Writes each example as a module. The folder is in the package, where its imports are found. The checks of the
   * repository pass over folders with the name `generated`.
   */
  static async write(sources: readonly ExampleSource[]): Promise<DocumentedExamples> {
    await mkdir(generatedFolder, { recursive: true });
    const folder = await mkdtemp(path.join(generatedFolder, 'documented-'));
    for (const source of sources) {
      const lines = await exampleLines(source);
      const module = [
        ...lines.filter((line) => line.startsWith('import ')),
        `import type { ${['Context', ...(source.types ?? [])].join(', ')} } from '../../${source.setup ?? source.name}.js';`,
        `export async function example({ ${source.uses.join(', ')} }: Context): Promise<unknown> {`,
        ...lines.filter((line) => !line.startsWith('import ')),
        `return ${source.returns ?? 'undefined'};`,
        '}',
      ];
      await writeFile(path.join(folder, `${source.name}.ts`), module.join('\n'));
    }
    return new DocumentedExamples(folder);
  }

  /** Returns an example as a function. */
  async load(name: string): Promise<Example> {
    const module = (await import(path.join(this.folder, `${name}.ts`))) as { example: Example };
    return module.example;
  }

  /** Checks the types of every example, as a project with `strict` would, and returns the errors. */
  typeErrors(names: readonly string[]): readonly string[] {
    const program = ts.createProgram(
      names.map((name) => path.join(this.folder, `${name}.ts`)),
      {
        target: ts.ScriptTarget.ES2023,
        lib: ['lib.es2023.d.ts'],
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        types: ['node'],
        paths: {
          '@waybill/outbox': [path.join(packageFolder, 'src/index.ts')],
          '@waybill/outbox/*': [path.join(packageFolder, 'src/*/index.ts')],
        },
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
      },
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
    // Another test may have its folder there.
    await rmdir(generatedFolder).catch(() => undefined);
  }
}
