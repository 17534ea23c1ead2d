// Compiles program.ts, the service of nest-11 and a file that imports every entry point, with several releases of
// TypeScript: the newest in every module mode, the others in the first and the last. Shows the errors in them and in the
// types of the packages, and fails with any. Leaves program.cjs and program.mjs.
const fs = require('node:fs');
const path = require('node:path');

const program = path.join(__dirname, 'program');
const nest = path.join(__dirname, '../nest-11/src');
const { exports: entries } = require(path.join(nest, '../node_modules/@waybill/outbox/package.json'));
const all = Object.keys(entries).map(
  (entry, index) => `export * as entry${index} from '${path.join('@waybill/outbox', entry)}';\n`,
);
fs.writeFileSync(path.join(nest, 'entry-points.ts'), all.join(''));
const names = [program, path.join(nest, 'orders'), path.join(nest, 'entry-points')];
for (const source of names)
  for (const extension of ['.mts', '.cts']) fs.copyFileSync(`${source}.ts`, source + extension);

// TypeORM has no types of node-postgres, which the types of the outbox name.
const paths = { pg: [path.join(__dirname, 'node_modules/@types/pg')] };
const ours = (file) => !file.includes('node_modules') || file.includes('node_modules/@waybill');

for (const release of ['typescript-5.4', 'typescript-5.9', 'typescript-6']) {
  const ts = require(release);
  const { CommonJS, NodeNext, ESNext } = ts.ModuleKind;
  const modes = [
    // With the default resolution: `node10` up to 5.9, then `bundler`.
    ['.ts', { module: CommonJS, esModuleInterop: true }],
    ['.ts', { module: ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
    // The same as `Node16` in 5.4. `attw` resolves every entry point as `Node16` does.
    ['.cts', { module: NodeNext }],
    ['.mts', { module: NodeNext }],
  ];
  const parsed = new Map();
  for (const [extension, mode] of release === 'typescript-6' ? modes : [modes[0], modes[3]]) {
    const options = {
      ...mode,
      target: ts.ScriptTarget.ES2022,
      types: ['node'],
      typeRoots: [path.join(__dirname, 'node_modules/@types')],
      paths,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile } = host;
    host.getSourceFile = (file, settings, ...others) => {
      if (ours(file)) return getSourceFile(file, settings, ...others);
      const key = `${file} ${settings.impliedNodeFormat}`;
      if (!parsed.has(key)) parsed.set(key, getSourceFile(file, settings, ...others));
      return parsed.get(key);
    };
    const compiled = ts.createProgram(
      names.map((name) => name + extension),
      options,
      host,
    );
    const sources = compiled.getSourceFiles().filter(({ fileName }) => ours(fileName));
    const errors = [
      ...compiled.getOptionsDiagnostics(),
      ...sources.flatMap((source) => [
        ...compiled.getSyntacticDiagnostics(source),
        ...compiled.getSemanticDiagnostics(source),
      ]),
    ];
    const { module, moduleResolution = 'default' } = mode;
    console.log(
      `TypeScript ${ts.version}, ${ts.ModuleKind[module]} (${moduleResolution}), *${extension}: ${errors.length} errors in ${sources.length} files`,
    );
    if (errors.length > 0) {
      console.error(ts.formatDiagnostics(errors, host));
      process.exitCode = 1;
    }
    if (release === 'typescript-6' && mode.module === NodeNext)
      compiled.emit(compiled.getSourceFile(program + extension));
  }
}
