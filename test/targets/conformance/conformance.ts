import { describe } from 'vitest';
import { deliveryCases } from './delivery-cases.js';
import { faultCases } from './fault-cases.js';
import { harness } from './harness.js';
import { packingCases } from './packing-cases.js';
import type { Subject } from './subject.js';
import { tokenCases } from './token-cases.js';

/**
 * Defines the suite that every target runs: the contract of `target.ts`, tested against the sandbox over real sockets.
 * Call it in a target's `conformance.test.ts`. It sets the sandbox's environment variables while it runs.
 */
export function testConformance<Config>(subject: Subject<Config>): void {
  const { target, packing } = subject;
  describe(`the ${target.kind} target${packing ? ` with records packed ${packing}` : ''} keeps the contract`, () => {
    const bench = harness(subject);
    deliveryCases(subject, bench);
    faultCases(subject, bench);
    tokenCases(subject, bench);
    packingCases(subject, bench);
  });
}
