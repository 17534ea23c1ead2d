import { expect, it } from 'vitest';
import type { RegisteredEventType } from '../resource-types/resource-type-store.js';
import { checkBatch } from './batch-check.js';

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
      schemaText: null,
    },
  };
  // The hash of each takes a millisecond or more.
  const object = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`member-${index}`, index]));
  const batch = Array.from({ length: 100 }, (_, index) => ({
    id: `event-${index}`,
    type: 'order_created.v0',
    resource_id: `order-${index}`,
    object,
  }));
  let turns = 0;
  let counter = setImmediate(function count() {
    turns += 1;
    counter = setImmediate(count);
  });
  const checked = await checkBatch(batch, new Map([['order_created.v0', registered]]), new Map(), new Date());
  clearImmediate(counter);
  expect('events' in checked && checked.events.length).toBe(100);
  expect(turns).toBeGreaterThan(5);
});
