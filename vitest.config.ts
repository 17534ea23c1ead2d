import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tools/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/services.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Two cores are the machine this is built for: more workers only make each other's timers late.
    maxWorkers: 2,
  },
});
