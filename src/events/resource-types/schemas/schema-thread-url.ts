/** Where the code of the thread is. vitest.config.ts replaces this module: a thread of Node loads no TypeScript. */
export const SCHEMA_THREAD = new URL('./schema-thread.js', import.meta.url);
