import { describe } from 'vitest';
import { deliveryCases } from './delivery-cases.js';
import { faultCases } from './fault-cases.js';
import { harness } from './harness.js';
import type { Subject } from './subject.js';
import { tokenCases } from './token-cases.js';

/**
 * The suite that every target runs: what the contract in `target.ts` promises, tried against the sandbox over real sockets.
 * Called at the top of a target's `conformance.test.ts`. While it runs, the sandbox's environment is the process's.
 */
export function testConformance<Config>(subject: Subject<Config>): void {
  describe(`the ${subject.target.kind} target keeps the contract`, () => {
    const bench = harness(subject);
    deliveryCases(subject, bench);
    faultCases(subject, bench);
    tokenCases(subject, bench);
  });
}
