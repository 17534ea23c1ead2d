import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { abortOutcome } from '../../targets/connection-errors.js';
import type { Connection, Outcome } from '../../targets/target.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import { timedCall } from './timed-call.js';

const logger = createLogger('silent');
const deliveries: BatchDelivery[] = [1, 2].map((id) => ({
  id,
  requestedAt: performance.now(),
  traceParent: null,
  numbered: false,
  event: { id: `evt_${id}`, type: 't', sequence: id, timestampMs: 0, resourceId: 'r', json: '{}' },
}));

function connection(send: Connection['send']): Connection {
  return { send, close: () => Promise.resolve() };
}

const neverResolves = (): Promise<never> => new Promise(() => {});

describe('timedCall', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('returns the outcomes of the target', async () => {
    const outcomes: Outcome[] = [{ kind: 'delivered' }, { kind: 'delivered' }];
    const target = connection(() => Promise.resolve(outcomes));
    expect(await timedCall(target, deliveries, 1_000, new AbortController(), { logger, about: {} })).toEqual(outcomes);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('bounds the text of a vendor in a reason, and replaces what Postgres cannot store', async () => {
    const reason = { code: 'c'.repeat(500), message: `NUL \0 ${'m'.repeat(5_000)}`, httpStatus: 500 };
    const target = connection(() => Promise.resolve(deliveries.map(() => ({ kind: 'retry', reason, afterMs: 7 }))));
    const [outcome] = await timedCall(target, deliveries, 1_000, new AbortController(), { logger, about: {} });
    expect(outcome).toEqual({
      kind: 'retry',
      reason: { code: `${'c'.repeat(99)}…`, message: `NUL \ufffd ${'m'.repeat(993)}…`, httpStatus: 500 },
      afterMs: 7,
    });
  });

  it('does not call the target without deliveries', async () => {
    const target = connection(() => Promise.reject(new Error('called')));
    expect(await timedCall(target, [], 1_000, new AbortController(), { logger, about: {} })).toEqual([]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('bug'))],
    ['returns another number of outcomes', () => Promise.resolve([{ kind: 'delivered' }])],
    ['postpones every event', () => Promise.resolve(deliveries.map(() => ({ kind: 'postponed' })))],
  ] satisfies readonly (readonly [string, Connection['send']])[])(
    'counts as a failure to retry when the target %s',
    async (_, send) => {
      const outcomes = await timedCall(connection(send), deliveries, 1_000, new AbortController(), {
        logger,
        about: {},
      });
      expect(outcomes).toMatchObject(deliveries.map(() => ({ kind: 'retry', reason: { code: 'internal_error' } })));
    },
  );

  it('abandons a target that ignores the timeout, two seconds later', async () => {
    const settled = vi.fn<(outcomes: readonly Outcome[]) => void>();
    const call = timedCall(connection(neverResolves), deliveries, 50, new AbortController(), { logger, about: {} });
    void call.then(settled);
    await vi.advanceTimersByTimeAsync(2_049);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toMatchObject([{ reason: { code: 'timeout' } }, { reason: { code: 'timeout' } }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['returns', false],
    ['ignores the abort', true],
  ])('returns interrupted outcomes when the process aborts the call and the target %s', async (_, ignores) => {
    const controller = new AbortController();
    const target = connection(async (events, signal) => {
      controller.abort();
      return ignores ? neverResolves() : events.map(() => abortOutcome(signal));
    });
    const call = timedCall(target, deliveries, 60_000, controller, { logger, about: {} });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await call).toMatchObject([{ kind: 'interrupted' }, { kind: 'interrupted' }]);
  });
});
