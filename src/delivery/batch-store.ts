import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { DeliverableEvent } from '../targets/target.js';
import type { Lease } from './lane-store.js';

/** A delivery of the batch with the event it carries. */
export interface BatchDelivery {
  readonly id: number;
  /** When the change happened, or when it was asked for again: its deadline counts from there. */
  readonly askedAt: Date;
  /** Whether its number is on record, from an attempt before. Until then the number is the lane's to give. */
  readonly numbered: boolean;
  readonly event: DeliverableEvent;
  /** W3C `traceparent` of the step that recorded the event; null where nothing was traced. */
  readonly traceParent: string | null;
}

interface BatchRow {
  id: number;
  sequence: number | null;
  asked_at: Date;
  event_id: string;
  type: string;
  resource_id: string;
  event_created_at: Date;
  payload: string;
  trace_parent: string | null;
}

/** Reads batches with their payloads. */
export class BatchStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The deliveries of a leased batch that are still to be made, in order, each with its number. */
  async load(lease: Lease): Promise<readonly BatchDelivery[]> {
    const { rows } = await sql<BatchRow>`
      select d.id, d.sequence, coalesce(d.redelivered_at, d.created_at) as asked_at,
             e.id as event_id, e.type, e.resource_id, e.created_at as event_created_at, e.payload,
             e.trace_parent
      from deliveries d join events e on e.id = d.event_id
      where d.destination_id = ${lease.destinationId} and d.id = any(${lease.deliveryIds}::bigint[]) and d.state = 'pending'
      order by d.id`.execute(this.#db);
    let next = lease.firstSequence;
    return rows.map((row) => {
      const sequence = row.sequence ?? next++;
      return {
        id: row.id,
        askedAt: row.asked_at,
        numbered: row.sequence !== null,
        event: {
          id: row.event_id,
          type: row.type,
          sequence,
          timestampMs: row.event_created_at.getTime(),
          resourceId: row.resource_id,
          json: appendSequence(row.payload, sequence),
        },
        traceParent: row.trace_parent,
      };
    });
  }
}

/** Adds the member `sequence` to a payload, as text: parsing and serializing it again would cost many times as much. */
export function appendSequence(payload: string, sequence: number): string {
  return `${payload.slice(0, -1)},"sequence":${sequence}}`;
}
