import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { LaneStore } from '../lanes/lane-store.js';

/** Most deliveries that one statement expires. */
const EXPIRE_LIMIT = 1_000;

/** Most statements of one call: a lane with millions of overdue deliveries holds up no sweep. */
const MOST_STATEMENTS = 10;

/** What expiring works with. */
export interface ExpiringParts {
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  /** How long a delivery is tried, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Expires overdue deliveries that wait in a failing lane, at most 10,000. The next sweep with the lane continues.
 * @param onExpired called after each statement with the number of deliveries it expired, also when a later one throws
 */
export async function expireWaiting(
  { lanes, dispatcher, deadlineMs }: ExpiringParts,
  destinationId: string,
  onExpired: (count: number) => void,
): Promise<void> {
  let any = false;
  try {
    for (let statements = 0; statements < MOST_STATEMENTS; statements += 1) {
      const count = await lanes.expireWaiting(destinationId, deadlineMs, EXPIRE_LIMIT);
      if (count === 0) return;
      any = true;
      onExpired(count);
    }
  } finally {
    // The expiry makes a claim void that waited for the lane's lock. Dispatch again.
    if (any) dispatcher.notify([destinationId]);
  }
}
