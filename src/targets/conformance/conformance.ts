import { describe } from 'vitest';
import { deliveryCases } from './delivery-cases.js';
import { faultCases } from './fault-cases.js';
import { harness } from './harness.js';
import type { Subject } from './subject.js';
import { tokenCases } from './token-cases.js';

/**
 * Defines the suite that every target runs: the contract of `target.ts`, tested against the sandbox over real sockets.
 * Call it in a target's `conformance.test.ts`. It sets the sandbox's environment variables while it runs.
 */
export function testConformance<Config>(subject: Subject<Config>): void {
  describe(`the ${subject.target.kind} target keeps the contract`, () => {
    const bench = harness(subject);
    deliveryCases(subject, bench);
    faultCases(subject, bench);
    tokenCases(subject, bench);
  });
}
