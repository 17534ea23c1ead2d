import type { Backend } from '../harness/options.js';
import { total, type Count } from './count/count.js';
import type { Scenario } from './scenario.js';

/** Result of one scenario on one backend. */
export interface FaultResult {
  readonly scenario: string;
  readonly title: string;
  readonly backend: Backend;
  /** Null if the scenario did not finish. */
  readonly count: Count | null;
  readonly seconds: number;
  readonly notes: readonly string[];
  /** Reason why it cannot run on this machine; null if it ran. */
  readonly skipped: string | null;
  /** Violated conditions; empty if it passed. */
  readonly failures: readonly string[];
}

/** Lists the violations in a count. */
export function faultsOf(count: Count, { breaksDestinationOrder = [], rejects = 0 }: Scenario): readonly string[] {
  const inOrder = count.destinations.filter(({ kind }) => !breaksDestinationOrder.some((one) => one === kind));
  const order = total({ ...count, destinations: inOrder }, 'order_violations');
  const violations: readonly (readonly [number, string])[] = [
    [count.published === 0 ? 1 : 0, 'scenario without a published event'],
    [total(count, 'lost'), 'deliveries lost'],
    [
      count.destinations.filter(({ rejected }) => rejected !== rejects).length,
      `destinations that do not show ${rejects} deliveries as rejected`,
    ],
    [count.unrecorded, 'accepted changes without an event'],
    [total(count, 'unknown'), 'arrivals of events that the log does not have'],
    [order, 'arrivals out of the order of their destination'],
    [total(count, 'resource_order_violations'), 'arrivals out of the order of their resource'],
    [total(count, 'gaps'), 'sequence numbers missing'],
    [total(count, 'reused'), 'numbers given to two events'],
  ];
  return violations.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
}
