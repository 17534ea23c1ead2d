import type { Pool } from 'pg';
import { publishingLimits } from '../generated/publishing-limits.js';
import { RejectedStore, type RejectedEvent, type Repair } from './rejected-store.js';
import { RelayDatabase } from './relay-database.js';

/** The events that Waybill has refused, for tools of the operator. */
export interface RejectedEvents {
  /** Returns the rejected events, oldest first: at most `limit`, by default 1,000. */
  list(limit?: number): Promise<readonly RejectedEvent[]>;
  /**
   * Returns rejected events to the outbox, at their positions: they precede the later events of their resources. Many
   * events take several transactions. After an error, a further call continues.
   * @param eventIds null for all
   * @returns how many there were
   */
  retry(eventIds: readonly string[] | null): Promise<number>;
  /** Returns the content of a rejected event as JSON text; null if there is none with this id. */
  event(eventId: string): Promise<string | null>;
  /**
   * Replaces a rejected event by an edited one, and returns it to the outbox, at its position. The original and the
   * edit are kept in the table `repairs`.
   * @param event the whole event as JSON text, with the members of `POST /events`. Without `occurred_at`, it has that
   * of the original. `resource_id` must stay the same
   * @returns whether there is a rejected event with this id
   * @throws RangeError for an event that Waybill would refuse
   */
  repair(eventId: string, event: string, repair: Repair): Promise<boolean>;
  /**
   * Deletes rejected events, which are never published, and releases what they held. Many events take several
   * transactions. After an error, a further call continues.
   * @returns how many there were
   */
  discard(eventIds: readonly string[]): Promise<number>;
}

/** Returns access to the rejected events of an outbox. It works while relays run. */
export function rejectedEvents(pool: Pool): RejectedEvents {
  const store = new RejectedStore(new RelayDatabase(pool));
  return {
    list: (limit = 1_000) => store.list(limit),
    retry: (eventIds) => store.retry(eventIds),
    event: (eventId) => store.event(eventId),
    repair: async (eventId, event, repair) => store.repair(eventId, event, checkedRepair(repair)),
    discard: (eventIds) => store.discard(eventIds),
  };
}

function checkedRepair({ by, reason }: Repair): Repair {
  const { longestRepairer, longestReason } = publishingLimits;
  if (!isText(by, longestRepairer)) throw new RangeError(`"by" must be text of 1 to ${longestRepairer} characters.`);
  if (!isText(reason, longestReason))
    throw new RangeError(`"reason" must be text of 1 to ${longestReason} characters.`);
  return { by, reason };
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= longest;
}
