import type { LaneStore } from '../lanes/lane-store.js';
import type { Dispatcher } from './dispatcher.js';

/** Most deliveries that one statement expires. */
const EXPIRE_LIMIT = 1_000;

/** What expiring works with. */
export interface ExpiringParts {
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  /** How long a delivery is tried, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Expires all overdue deliveries that wait in a failing lane.
 * @param onExpired called after each statement with the number of deliveries it expired, also when a later one throws
 */
export async function expireAllWaiting(
  { lanes, dispatcher, deadlineMs }: ExpiringParts,
  destinationId: string,
  onExpired: (count: number) => void,
): Promise<void> {
  let any = false;
  try {
    for (;;) {
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
