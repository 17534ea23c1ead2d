import { expect, it } from 'vitest';
import { loadSdk } from './sdk.js';

it('lets others have the event loop while the client is loaded, and loads it once', { timeout: 120_000 }, async () => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  const loading = loadSdk();
  expect(loadSdk()).toBe(loading);
  const { LogsApi } = await loading;
  clearImmediate(next);
  expect(LogsApi).toBeTypeOf('function');
  expect(turns).toBeGreaterThan(20);
});
