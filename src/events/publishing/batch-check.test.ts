import { expect, it } from 'vitest';
import type { RegisteredEventType } from '../registered-types/registered-type-store.js';
import { checkBatch } from './batch-check.js';

/** Keeps the event loop for two milliseconds, as the validation of a large object does. */
function validateSlowly(): [] {
  const end = performance.now() + 2;
  while (performance.now() < end);
  return [];
}

it('lets other work run while it checks a large batch', async () => {
  const registered: RegisteredEventType = {
    action: 'created',
    type: {
      id: 'rt_1',
      name: 'order',
      version: 0,
      revision: 1,
      actions: ['created'],
      redact: [],
      changes: 'given',
      schema: null,
      validate: validateSlowly,
    },
  };
  const batch = Array.from({ length: 100 }, (_, index) => ({
    type: 'order_created.v0',
    resource_id: `order-${index}`,
    object: {},
  }));
  let turns = 0;
  let counter = setImmediate(function count() {
    turns += 1;
    counter = setImmediate(count);
  });
  const checked = await checkBatch(batch, new Map([['order_created.v0', registered]]), new Date());
  clearImmediate(counter);
  expect('events' in checked && checked.events.length).toBe(100);
  expect(turns).toBeGreaterThan(5);
});
