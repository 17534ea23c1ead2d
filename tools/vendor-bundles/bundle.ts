import path from 'node:path';
import { rolldown, type RolldownOutput } from 'rolldown';
import { datadogModels } from './datadog-models.js';
import { licensesOf } from './licenses.js';

/** Path of the file with the licenses, below the bundles. */
export const LICENSES = 'vendor/LICENSES.txt';

/**
 * Bundles what the targets and the storage of exports use of vendors' packages: one ES module for each file, and
 * modules that they share.
 * @param root folder of the project
 * @param files paths of the files in `src`, such as `targets/aws-firehose/vendor.ts`
 * @returns the content of the bundles and their licenses, by path; the paths are relative to one folder
 * @throws Error when an import cannot be resolved, or the bundler warns
 */
export async function bundleVendors(root: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const input = files.map((file) => [file.replace(/\.ts$/, ''), path.join(root, 'src', file)] as const);
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(input),
    platform: 'node',
    plugins: [await datadogModels(root)],
    // A warning, such as an import that is not resolved, would fail when the bundle runs.
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`Bundling the vendors' clients: ${log.message}`);
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'vendor/[name]-[hash].js',
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    return new Map([...contents(output), [LICENSES, await licensesOf(output.flatMap(modulesOf))]]);
  } finally {
    await bundle.close();
  }
}

type Part = RolldownOutput['output'][number];

function contents(output: readonly Part[]): readonly (readonly [string, string])[] {
  return output.map((part) => {
    if (part.type !== 'chunk') throw new Error(`The bundler made ${part.fileName}, which is not a module.`);
    return [part.fileName, part.code];
  });
}

function modulesOf(part: Part): readonly string[] {
  return part.type === 'chunk' ? Object.keys(part.modules) : [];
}
