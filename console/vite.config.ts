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
    alias: { '@waybill/reconcile': path.resolve(import.meta.dirname, '../packages/reconcile/src/index.ts') },
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
    rolldownOptions: {
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
