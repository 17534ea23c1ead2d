import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { bundledSchemaThread } from './test/support/schema-thread.js';
import { cachedBundles } from './tools/vendor-bundles/cached-bundles.js';

const sources = path.resolve(import.meta.dirname, 'src');
const packages = path.resolve(import.meta.dirname, 'packages');
const bundles = await cachedBundles(import.meta.dirname);
const schemaThread = await bundledSchemaThread(import.meta.dirname);

const BESIDE_CODE = '{src,tools,console/src,packages/*/src}';
const IN_TEST_FOLDERS = '{test,packages/*/test,examples/*/test}';

/** Tests of other projects that `npm test` runs too: they show that the product works. */
const smoke = [
  'test/console/browser/first-page.browser.test.ts',
  'test/contract/openapi.contract.test.ts',
  'test/contract/operations.contract.test.ts',
  'test/e2e/service/killed-export.process.test.ts',
];

/** Names of files, by what their tests need. A file without any of these is of `unit` or `integration`. */
const suffixed = (...suffixes: readonly string[]) =>
  suffixes.map((suffix) => `{${BESIDE_CODE},${IN_TEST_FOLDERS}}/**/*.${suffix}.test.ts`);

/** Returns a project. The stores start once for all projects with queue backends. */
function project(
  name: string,
  queueBackends: readonly ('postgres' | 'redis')[],
  files: { readonly include: string[]; readonly exclude?: string[] },
  ...globalSetup: readonly string[]
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      // The files of a worker share its process and its modules, which are loaded once.
      isolate: false,
      setupFiles: ['test/support/restore-process.ts'],
      globalSetup: queueBackends.length === 0 ? [] : ['test/support/services.ts', ...globalSetup],
      provide: { queueBackends },
      exclude: smoke,
      ...files,
    },
  };
}

const COMPILED_PROJECT = 'test/e2e/compiled-project.ts';

/** CONTRIBUTING.md says which test belongs in which project. */
export default defineConfig({
  // The sources, so that no test needs a build.
  resolve: {
    alias: [
      { find: /^@waybill\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` },
      { find: /^@waybill\/(outbox|verify)\/([a-z]+)$/, replacement: `${packages}/$1/src/$2/index.ts` },
    ],
  },
  plugins: [
    {
      // The tests use the vendors' clients as the service does: bundled, which load in a fraction of the time.
      // The name is a part of the key of the cache: cached modules have the paths of the bundles.
      name: `vendor-bundles ${path.basename(bundles)}`,
      enforce: 'pre',
      resolveId(source, importer) {
        if (!importer || !/(^|\/)vendor\.js$/.test(source)) return null;
        const file = path.relative(sources, path.resolve(path.dirname(importer), source));
        return file.startsWith('..') ? null : path.join(bundles, file);
      },
    },
    {
      name: `schema-thread ${path.basename(schemaThread.pathname)}`,
      load: (id) =>
        id.endsWith('/schema-thread-url.ts') ? `export const SCHEMA_THREAD = new URL('${schemaThread.href}');` : null,
    },
  ],
  test: {
    // A machine may be ten times slower than the reference machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    // The reference machine has two cores. Most tests wait for a turn, a timer or a store half of their time.
    maxWorkers: 4,
    // The projects share what is compiled.
    experimental: { fsModuleCache: true },
    projects: [
      project('unit', [], {
        include: [`${BESIDE_CODE}/**/*.test.ts`],
        exclude: suffixed('process'),
      }),
      project('integration', ['postgres'], {
        include: [`${IN_TEST_FOLDERS}/**/*.test.ts`],
        exclude: [...suffixed('browser', 'contract', 'process', 'redis', 'scale'), ...smoke],
      }),
      project('smoke', ['postgres'], { include: smoke, exclude: [] }, COMPILED_PROJECT),
      project('redis', ['redis'], { include: suffixed('queue', 'redis') }),
      project('contract', ['postgres'], { include: suffixed('contract') }),
      project('browser', ['postgres', 'redis'], { include: suffixed('browser') }),
      project('scale', ['postgres'], { include: suffixed('scale') }),
      project('process', ['postgres', 'redis'], { include: suffixed('process') }, COMPILED_PROJECT),
    ],
  },
});
