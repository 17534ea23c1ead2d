import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { cachedBundles } from './tools/vendor-bundles/cached-bundles.js';

/** Tests beside the code that need more than memory: the conformance suite runs against the sandbox. */
const BESIDE_CODE = 'src/targets/*/conformance.test.ts';

const sources = path.resolve(import.meta.dirname, 'src');
const packages = path.resolve(import.meta.dirname, 'packages');
const bundles = await cachedBundles(import.meta.dirname);

/** CONTRIBUTING.md says which test belongs in which project. */
export default defineConfig({
  // The sources, so that no test needs a build.
  resolve: {
    alias: [
      { find: /^@waybill\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` },
      { find: /^@waybill\/outbox\/([a-z]+)$/, replacement: `${packages}/outbox/src/$1/index.ts` },
    ],
  },
  plugins: [
    {
      // The tests use the vendors' clients as the service does: bundled, which load in a fraction of the time.
      name: 'vendor-bundles',
      enforce: 'pre',
      resolveId(source, importer) {
        if (!importer || !/(^|\/)vendor\.js$/.test(source)) return null;
        const file = path.relative(sources, path.resolve(path.dirname(importer), source));
        return file.startsWith('..') ? null : path.join(bundles, file);
      },
    },
  ],
  test: {
    // A machine may be ten times slower than the reference machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // The reference machine has two cores. More workers delay each other's timers.
    maxWorkers: 2,
    // Without `isolate`, the files of a worker share its process and its modules, which are loaded once.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          setupFiles: ['test/support/restore-process.ts'],
          include: [
            'src/**/*.test.ts',
            'tools/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'console/src/**/*.test.ts',
          ],
          exclude: [BESIDE_CODE],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          isolate: false,
          setupFiles: ['test/support/restore-process.ts'],
          include: ['test/**/*.test.ts', '{packages,examples}/*/test/**/*.test.ts', BESIDE_CODE],
          exclude: ['test/e2e/**'],
          globalSetup: ['test/support/services.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          isolate: false,
          setupFiles: ['test/support/restore-process.ts'],
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/services.ts', 'test/e2e/compiled-project.ts'],
        },
      },
    ],
  },
});
