import { describe, expect, it } from 'vitest';
import { exampleEvent, exampleEvents } from './events.js';
import type { Harness } from './harness.js';
import type { Subject } from './subject.js';

/** Cases with a failing token service, for the targets that have one. */
export function tokenCases<Config>(subject: Subject<Config>, bench: Harness): void {
  const { tokenService } = subject;
  if (!tokenService) return;

  describe(`with a token service (${tokenService}) that fails`, () => {
    const cases = [
      { fault: 'deny', outcome: 'misconfigured' },
      { fault: 'throttle', outcome: 'retry' },
      { fault: 'unavailable', outcome: 'retry' },
      { fault: 'reset', outcome: 'retry' },
    ] as const;
    for (const { fault, outcome } of cases) {
      it(`returns ${outcome} on ${fault} without a call to the target, and recovers`, async () => {
        const connection = bench.connect();
        const end = bench.script({ target: tokenService, kind: fault });
        const outcomes = await connection.send(exampleEvents(2), AbortSignal.timeout(200_000));
        expect(outcomes.map(({ kind }) => kind)).toEqual([outcome, outcome]);
        for (const secret of subject.secrets) expect(JSON.stringify(outcomes)).not.toContain(secret);
        expect(bench.calls()).toBe(0);
        end();
        const again = await connection.send([exampleEvent(1)], AbortSignal.timeout(200_000));
        expect(again).toMatchObject([{ kind: 'delivered' }]);
      });
    }

    it('ends the wait for a token when the signal aborts', async () => {
      bench.script({ target: tokenService, kind: 'timeout' });
      const started = performance.now();
      const outcomes = await bench.send(exampleEvents(2), AbortSignal.timeout(400));
      expect(performance.now() - started).toBeLessThan(100_000);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['retry', 'retry']);
    });
  });
}
