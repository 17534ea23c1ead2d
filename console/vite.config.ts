import path from 'node:path';
import { defineConfig } from 'vite';

/** Address of the service that `npx vite console` sends requests of the API to. */
const SERVICE = 'http://127.0.0.1:4700';

/** Path of the console below the address of the service. */
const BASE = '/console/';

export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  resolve: {
    alias: {
      '@waybill/reconcile': path.resolve(import.meta.dirname, '../packages/reconcile/src/index.ts'),
      '@waybill/verify/check': path.resolve(import.meta.dirname, '../packages/verify/src/check/index.ts'),
      '@waybill/verify/readers': path.resolve(import.meta.dirname, '../packages/verify/src/readers/index.ts'),
    },
  },
  cacheDir: path.resolve(import.meta.dirname, '../node_modules/.cache/vite-console'),
  build: {
    // The first releases with `light-dark()`, 2024.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    outDir: path.resolve(import.meta.dirname, '../dist/console'),
    manifest: true,
    // An inlined asset would be a data: address, which the content policy allows for pictures only.
    assetsInlineLimit: 0,
    // The policy allows no inline script; every browser of the target preloads modules itself.
    modulePreload: { polyfill: false },
    // The file of the first page is larger than the default of 500 kB, and has a limit in a test.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // Few files: over HTTP/1.1 a browser has six connections. What the first page needs is one of them.
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 3 },
            { name: 'overlays', test: /react-aria|react-stately/, minShareCount: 2, priority: 2 },
            { name: 'shared', test: /console[\\/]src/, minShareCount: 3, priority: 1 },
          ],
        },
      },
      onLog(level, log, report) {
        // Directives such as `use client` are for servers that render pages.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      // All but the files of the console.
      [`^(?!${BASE})`]: SERVICE,
    },
  },
});
