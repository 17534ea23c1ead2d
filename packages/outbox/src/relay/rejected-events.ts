import type { Pool } from 'pg';
import { RejectedStore, type RejectedEvent } from './rejected-store.js';
import { RelayDatabase } from './relay-database.js';

/** The events that Waybill has refused, for tools of the operator. */
export interface RejectedEvents {
  /** Returns the rejected events, oldest first: at most `limit`, by default 1,000. */
  list(limit?: number): Promise<readonly RejectedEvent[]>;
  /**
   * Returns rejected events to the outbox, at their positions: they precede the later events of their resources.
   * @param eventIds null for all
   * @returns how many there were
   */
  retry(eventIds: readonly string[] | null): Promise<number>;
  /** Deletes rejected events, which are never published, and releases what they held. Returns how many there were. */
  discard(eventIds: readonly string[]): Promise<number>;
}

/** Returns access to the rejected events of an outbox. It works while relays run. */
export function rejectedEvents(pool: Pool): RejectedEvents {
  const store = new RejectedStore(new RelayDatabase(pool));
  return {
    list: (limit = 1_000) => store.list(limit),
    retry: (eventIds) => store.retry(eventIds),
    discard: (eventIds) => store.discard(eventIds),
  };
}
