import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import type { Connection, Outcome } from '../../targets/target.js';
import { ended } from '../../targets/connection-errors.js';
import { timedCall } from './timed-call.js';
import type { BatchDelivery } from '../lanes/batch-store.js';

const logger = createLogger('silent');
const deliveries: BatchDelivery[] = [1, 2].map((id) => ({
  id,
  requestedAt: new Date(),
  traceParent: null,
  numbered: false,
  event: { id: `evt_${id}`, type: 't', sequence: id, timestampMs: 0, resourceId: 'r', json: '{}' },
}));

function connection(send: Connection['send']): Connection {
  return { send, close: () => Promise.resolve() };
}

describe('timedCall', () => {
  it('gives what the target answers', async () => {
    const outcomes: Outcome[] = [{ kind: 'delivered' }, { kind: 'delivered' }];
    const target = connection(() => Promise.resolve(outcomes));
    expect(await timedCall(target, deliveries, 1_000, new AbortController(), logger)).toBe(outcomes);
  });

  it('does not call the target for nothing', async () => {
    const target = connection(() => Promise.reject(new Error('called')));
    expect(await timedCall(target, [], 1_000, new AbortController(), logger)).toEqual([]);
  });

  it('counts a target that throws, or that answers for another number of events, as a passing failure', async () => {
    const broken = [
      connection(() => Promise.reject(new Error('bug'))),
      connection(() => Promise.resolve([{ kind: 'delivered' }])),
    ];
    for (const target of broken) {
      const outcomes = await timedCall(target, deliveries, 1_000, new AbortController(), logger);
      expect(outcomes).toMatchObject(
        deliveries.map(() => ({ kind: 'retry', reason: { code: 'internal_error' } })),
      );
    }
  });

  it('leaves a target alone that does not even notice that its time is over', async () => {
    const target = connection(() => sleep(60_000, [], { ref: false }));
    const begun = performance.now();
    const outcomes = await timedCall(target, deliveries, 50, new AbortController(), logger);
    expect(outcomes).toMatchObject([{ reason: { code: 'timeout' } }, { reason: { code: 'timeout' } }]);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  it('blames nobody when the call is ended by a process that stops, whether the target notices or not', async () => {
    for (const deaf of [true, false]) {
      const call = new AbortController();
      const target = connection(async (events, signal) => {
        call.abort();
        if (deaf) await sleep(60_000, [], { ref: false });
        return events.map(() => ended(signal));
      });
      const outcomes = await timedCall(target, deliveries, 1_000, call, logger);
      expect(outcomes).toMatchObject([{ kind: 'interrupted' }, { kind: 'interrupted' }]);
    }
  });

  it('counts a target that sends nothing, and says that nothing failed, as a passing failure', async () => {
    const target = connection((events) => Promise.resolve(events.map(() => ({ kind: 'postponed' }))));
    expect(await timedCall(target, deliveries, 1_000, new AbortController(), logger)).toMatchObject([
      { kind: 'retry', reason: { code: 'internal_error' } },
      { kind: 'retry' },
    ]);
  });
});
