import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants } from 'node:zlib';
import { build } from 'vite';
import { licensesOf } from '../vendor-bundles/licenses.js';

/** File with the licenses of what the console contains, beside `index.html`. */
export const LICENSES = 'LICENSES.txt';

/** Assets below this size are sent as they are, in bytes: compressed, they are not worth a second file. */
const SMALLEST_COMPRESSED = 1_024;

/**
 * Builds the console: `index.html`, `assets/` with compressed forms of each file, the licenses, and Vite's manifest in
 * `.vite`.
 * @param root folder of the project
 * @param folder an empty folder, which gets the files
 * @throws Error when the build fails or warns
 */
export async function buildConsole(root: string, folder: string): Promise<void> {
  const modules = await bundle(path.join(root, 'console'), folder);
  await writeFile(path.join(folder, LICENSES), await licensesOf(modules));
  const assets = path.join(folder, 'assets');
  await Promise.all((await readdir(assets)).map((name) => compress(path.join(assets, name))));
}

/** Writes the bundles. Returns the ids of the modules in them. */
async function bundle(console: string, folder: string): Promise<readonly string[]> {
  const environment = process.env['NODE_ENV'];
  // Otherwise a test run would build React for development.
  process.env['NODE_ENV'] = 'production';
  try {
    const result = await build({
      root: console,
      configFile: path.join(console, 'vite.config.ts'),
      mode: 'production',
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: false },
    });
    const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
    return outputs.flatMap((part) => (part.type === 'chunk' ? Object.keys(part.modules) : []));
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
  }
}

/** Writes the forms of an asset that the server sends to browsers that take them. */
async function compress(file: string): Promise<void> {
  if ((await stat(file)).size < SMALLEST_COMPRESSED) return;
  const content = await readFile(file);
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, options),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
