import { expect, it } from 'vitest';
import type { RequestContext } from '../../http/request/request-context.js';
import type { CheckedEvent } from './batch-check.js';
import { GroupPlan } from './group-plan.js';
import { resourceKey } from './publish-store.js';

const EVENTS = 100;
const before = JSON.stringify({ text: 'x'.repeat(50_000) });

function event(index: number): CheckedEvent {
  const type = { id: 'rt_1', name: 'order', version: 0, revision: 1, actions: ['updated'], redact: [] };
  return {
    publisherId: null,
    hash: Buffer.alloc(0),
    eventType: 'order_updated.v0',
    type: { ...type, changes: 'computed', schema: null, schemaText: null },
    action: 'updated',
    resourceId: `order-${index}`,
    object: {},
    changes: null,
    principal: null,
    request: null,
    occurredAt: null,
    repaired: null,
    characters: 100,
  };
}

// The members that are read.
const context = { accountId: 'acct_1', operationId: 'op_1', credential: null } as RequestContext;
const requestOf = (from: number, count: number) => ({
  context,
  events: Array.from({ length: count }, (_, index) => event(from + index)),
  traceParent: null,
});

it('is full with as many characters as one request may have, changes included', async () => {
  const keys = Array.from({ length: 2 * EVENTS }, (_, index) => resourceKey('rt_1', `order-${index}`));
  const locked = {
    revisions: new Map(),
    resources: new Map(keys.map((key) => [key, { version: 1, object: before }])),
    busy: new Set<string>(),
    earlier: new Map(),
    isRuled: false,
  };
  const plan = new GroupPlan(locked, new Date());
  await expect(plan.planned(requestOf(0, 2 * EVENTS))).rejects.toMatchObject({ code: 'body_too_large' });
  plan.add(await plan.planned(requestOf(0, EVENTS)));
  expect(plan.isFull).toBe(false);
  plan.add(await plan.planned(requestOf(EVENTS, EVENTS)));
  expect(plan.isFull).toBe(true);
});
