import path from 'node:path';
import { rolldown, type Plugin, type RolldownOutput } from 'rolldown';

/** Packages that others import only where they are installed, or on Cloudflare, or that find their files by path. */
const OUTSIDE =
  /^(@nestjs\/(microservices|websockets|platform-express)|@fastify\/multipart|class-(transformer|validator)|msgpackr-extract|pg-native|pg-cloudflare)(\/|$)/;

/** Begins the names of the files with packages. */
const PACKAGES = 'packages';

/** Modules that the build bundles by themselves: tools/vendor-bundles. */
const VENDOR = /(^|\/)vendor\.js$/;

/**
 * Bundles the service with its packages, since a process that loads 2,000 files starts slowly. The modules are one file
 * and their packages another, except what is loaded later. What the service reads by path, such as the code of
 * threads, stays in `dist/src`.
 * @param root folder of the project
 * @returns the content of the files in `dist/service`, by name: `main.js`, what it imports, and source maps of the
 *   modules of the project
 * @throws Error when an import cannot be resolved, or the bundler warns of anything but `eval`
 */
export async function bundleService(root: string): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const bundle = await rolldown({
    cwd: root,
    input: path.join(root, 'src/main.ts'),
    platform: 'node',
    tsconfig: path.join(root, 'tsconfig.json'),
    external: OUTSIDE,
    plugins: [compiledPaths(root)],
    // A warning, such as an import that is not resolved, would fail when the bundle runs.
    onLog: (level, log) => {
      if (level === 'warn' && log.code !== 'EVAL') throw new Error(`Bundling the service: ${log.message}`);
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      keepNames: true,
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: ({ name }) => (isOfPackages(name) ? `${PACKAGES}-[hash].js` : '[name]-[hash].js'),
      // One file for the packages of each set of modules that are loaded together.
      codeSplitting: { groups: [{ name: PACKAGES, test: /\/node_modules\//, entriesAware: true }] },
      comments: { legal: false, annotation: false, jsdoc: false },
      // V8 keeps the source in memory, with two bytes for each character where one of them is not Latin-1.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    });
    return new Map(output.flatMap(written));
  } finally {
    await bundle.close();
  }
}

/** Lets modules find their files from the place of the bundle, and leaves the vendors' clients out of it. */
function compiledPaths(root: string): Plugin {
  return {
    name: 'compiled-paths',
    resolveId(source, importer) {
      if (!importer || !VENDOR.test(source)) return null;
      const file = path.relative(root, path.resolve(path.dirname(importer), source));
      return file.startsWith('src/') ? { id: `../${file}`, external: true } : null;
    },
    transform(code, id) {
      const file = path.relative(root, id).replace(/\.ts$/, '.js');
      if (!file.startsWith('src/') || !code.includes('import.meta')) return null;
      if (/import\.meta\.(?!url)/.test(code)) throw new Error(`${file} may use import.meta.url alone: it is bundled.`);
      // No map: the lines stay the same.
      return { code: code.replaceAll('import.meta.url', `new URL('../${file}', import.meta.url).href`), map: null };
    },
  };
}

type Part = RolldownOutput['output'][number];

/** The source maps of packages are left out: five times the rest, and Node keeps a map in memory after an error. */
function written(part: Part): readonly (readonly [string, string | Uint8Array])[] {
  if (!isOfPackages(part.fileName)) return [[part.fileName, part.type === 'chunk' ? part.code : part.source]];
  return part.type === 'chunk' ? [[part.fileName, part.code.replace(/\/\/# sourceMappingURL=.*\s*$/, '')]] : [];
}

/** Whether a name begins as those of the files with packages do. */
function isOfPackages(name: string): boolean {
  return name.startsWith(PACKAGES);
}
