import type { Dispatcher } from './dispatcher.js';
import type { LaneStore } from '../lanes/lane-store.js';

/** Deliveries that are expired in one statement. */
export const EXPIRE_LIMIT = 1_000;

/** What expiring works with. */
export interface ExpiringParts {
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  /** How long a delivery is tried, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Expires, step by step, all that waits in a failing lane past its deadline.
 * @param expired called after each step, with how many it was; also for those before one that throws
 */
export async function expireAllWaiting(
  { lanes, dispatcher, deadlineMs }: ExpiringParts,
  destinationId: string,
  expired: (count: number) => void,
): Promise<void> {
  let any = false;
  try {
    for (;;) {
      const count = await lanes.expireWaiting(destinationId, deadlineMs, EXPIRE_LIMIT);
      if (count === 0) return;
      any = true;
      expired(count);
    }
  } finally {
    // It may have been resumed meanwhile, and the claim that followed was void.
    if (any) dispatcher.notify([destinationId]);
  }
}
