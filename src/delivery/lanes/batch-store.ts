import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';
import type { DeliverableEvent } from '../../targets/target.js';
import type { Lease } from './lane.js';

/** A delivery of the batch with the event it carries. */
export interface BatchDelivery {
  readonly id: number;
  /** When the change happened, or when it was asked for again: its deadline counts from there. */
  readonly requestedAt: Date;
  /**
   * Whether its number is fixed: on record, or perhaps known to the destination from an attempt at this batch that ended unrecorded.
   * Until then the number is the lane's to give.
   */
  readonly numbered: boolean;
  readonly event: DeliverableEvent;
  /** W3C `traceparent` of the step that recorded the event; null where nothing was traced. */
  readonly traceParent: string | null;
}

interface BatchRow {
  id: number;
  sequence: number | null;
  asked_at_ms: number;
  event_id: string;
  type: string;
  resource_id: string;
  event_created_at_ms: number;
  payload: string;
  trace_parent: string | null;
}

/** Deliveries that were read before they were claimed. Good for as long as nobody else works on their lane. */
export type PrefetchedDeliveries = ReadonlyMap<number, BatchRow>;

/** Times as milliseconds: to parse dates takes the driver longer than all other columns. */
const columns = sql`d.id, d.sequence, 1000 * date_part('epoch', coalesce(d.redelivered_at, d.created_at)) as asked_at_ms,
  e.id as event_id, e.type, e.resource_id, 1000 * date_part('epoch', e.created_at) as event_created_at_ms, e.payload,
  e.trace_parent`;

/** Reads batches with their payloads. */
export class BatchStore {
  constructor(private readonly db: Database) {}

  /**
   * The deliveries of a leased batch that are still to be made, in order, each with its number.
   * @param ahead what need not be read again: deliveries that were read while this lane's batch before was under way
   */
  async load(lease: Lease, ahead: PrefetchedDeliveries = new Map()): Promise<readonly BatchDelivery[]> {
    const known: BatchRow[] = [];
    const missing: string[] = [];
    for (const id of lease.deliveryIds.slice(1, -1).split(',')) {
      const row = ahead.get(Number(id));
      if (row) known.push(row);
      else missing.push(id);
    }
    const rows = missing.length === 0 ? known : [...known, ...(await this.read(lease, missing))];
    if (known.length > 0 && missing.length > 0) rows.sort((a, b) => a.id - b.id);
    let next = lease.firstSequence;
    return rows.map((row) => {
      const sequence = row.sequence ?? next++;
      return {
        id: row.id,
        requestedAt: new Date(row.asked_at_ms),
        numbered: row.sequence !== null || lease.attempt > 1,
        event: {
          id: row.event_id,
          type: row.type,
          sequence,
          timestampMs: Math.trunc(row.event_created_at_ms),
          resourceId: row.resource_id,
          json: appendSequence(row.payload, sequence),
        },
        traceParent: row.trace_parent,
      };
    });
  }

  private async read(lease: Lease, ids: readonly string[]): Promise<readonly BatchRow[]> {
    return executePrepared(
      this.db,
      sql<BatchRow>`
        select ${columns}
        from deliveries d cross join lateral (select * from events where id = d.event_id limit 1) e
        where d.destination_id = ${lease.destinationId} and ${among(ids)} and d.state = 'pending'
        order by d.id`,
    );
  }

  /**
   * The deliveries that wait behind a batch, as many as `limit` and `mostBytes` of payload allow: what the lane's next batch will
   * mostly be.
   */
  async prefetch(
    destinationId: string,
    behindId: number,
    limit: number,
    mostBytes: number,
  ): Promise<PrefetchedDeliveries> {
    const statement = sql<BatchRow>`
      select id, sequence, asked_at_ms, event_id, type, resource_id, event_created_at_ms, payload, trace_parent from (
        select ${columns}, sum(octet_length(e.payload)) over (order by d.id) as through
        from (
          select * from deliveries
          where destination_id = ${destinationId} and state = 'pending' and id > ${behindId}
          order by id limit ${limit}
        ) d
        cross join lateral (select * from events where id = d.event_id limit 1) e
      ) as behind
      where through <= ${mostBytes}
      order by id`;
    const rows = await executePrepared(this.db, statement);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** Whether `d` is one of these. A single one has words of its own, for which Postgres needs no plan that knows how many there are. */
function among(ids: readonly string[]): RawBuilder<boolean> {
  if (ids.length === 1) return sql<boolean>`d.id = ${ids[0]}::bigint`;
  return sql<boolean>`d.id = any(${`{${ids.join(',')}}`}::bigint[])`;
}

/** Adds the member `sequence` to a payload, as text: parsing and serializing it again would cost many times as much. */
export function appendSequence(payload: string, sequence: number): string {
  return `${payload.slice(0, -1)},"sequence":${sequence}}`;
}
