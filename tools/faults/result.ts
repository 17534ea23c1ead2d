import type { Backend } from '../bench/result.js';
import { total, type Count } from './count/count.js';
import type { Scenario } from './scenario.js';

/** What one scenario found on one backend. */
export interface FaultResult {
  readonly scenario: string;
  readonly title: string;
  readonly backend: Backend;
  /** Null where it could not be played to its end. */
  readonly count: Count | null;
  readonly seconds: number;
  readonly notes: readonly string[];
  /** Why it could not be played on this machine; null where it was. */
  readonly notPlayed: string | null;
  /** Everything that is not as it must be; empty where it passed. */
  readonly failures: readonly string[];
}

/** What a count shows that must not be. */
export function faultsOf(
  count: Count,
  { breaksDestinationOrder = [], rejects = 0 }: Scenario,
): readonly string[] {
  const inOrder = count.destinations.filter(
    ({ kind }) => !breaksDestinationOrder.some((one) => one === kind),
  );
  const order = total({ ...count, destinations: inOrder }, 'order_violations');
  const found: readonly (readonly [number, string])[] = [
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
  ];
  return found.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
}
