import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';
import type { DeliverableEvent } from '../../targets/target.js';
import { appendNumber, logOrigin } from './delivered-event.js';
import { epochOf } from './epoch.js';
import type { Lease } from './lane.js';
import { withoutPauses } from './pauses.js';
import { Projections } from './projections.js';

/** A delivery of a batch, with its event. */
export interface BatchDelivery {
  readonly id: number;
  /**
   * When its event was recorded or, later, its redelivery was requested, by `performance.now()`: the deadline counts
   * from then. Later by the pauses that it waited in. Derived from its age by the database's clock, so no other clock
   * matters.
   */
  readonly requestedAt: number;
  /**
   * Whether its number is fixed: recorded, or possibly sent by an earlier attempt at this batch that was not recorded.
   * Otherwise the number can go back to the lane.
   */
  readonly numbered: boolean;
  readonly event: DeliverableEvent;
  /** W3C `traceparent` of the span that recorded the event; null without tracing. */
  readonly traceParent: string | null;
}

/** A delivery with its event, as `deliveryColumns` read it. */
export interface BatchRow {
  id: number;
  sequence: number | null;
  age_ms: number;
  event_id: string;
  type: string;
  resource_id: string;
  event_created_at_ms: number;
  payload: string;
  trace_parent: string | null;
  is_backfill: boolean;
  /** In hexadecimal digits; null when it was removed. */
  salt: string | null;
}

/** A row with the time of its request, by `performance.now()`. */
type ReadRow = BatchRow & { readonly requestedAt: number };

/** Deliveries that were read before they were claimed, by id. Valid while the lane's lease is held. */
export type PrefetchedDeliveries = ReadonlyMap<number, ReadRow>;

/**
 * The columns of a `BatchRow` from the delivery `d` and its event `e`. Times as milliseconds: the driver needs longer
 * to parse dates than all other columns.
 */
export const deliveryColumns = sql`d.id, d.sequence, 1000 * date_part('epoch', now() - coalesce(d.redelivered_at, d.created_at)) as age_ms,
  e.id as event_id, e.type, e.resource_id, 1000 * date_part('epoch', e.created_at) as event_created_at_ms, e.payload,
  e.trace_parent, d.backfill_id is not null as is_backfill, encode(e.salt, 'hex') as salt`;

/** Reads batches with their payloads. */
export class BatchStore {
  /** @param logName begins the origin of each log */
  constructor(
    private readonly db: Database,
    private readonly logName: string,
  ) {}

  /**
   * Returns the pending deliveries of a leased batch, in order, each with its number.
   * @param prefetched deliveries that need not be read again
   */
  async load(lease: Lease, prefetched: PrefetchedDeliveries = new Map()): Promise<readonly BatchDelivery[]> {
    const known: ReadRow[] = [];
    const missing: string[] = [];
    for (const id of lease.deliveryIds.slice(1, -1).split(',')) {
      const row = prefetched.get(Number(id));
      if (row) known.push(row);
      else missing.push(id);
    }
    const rows = missing.length === 0 ? known : [...known, ...(await this.read(lease, missing))];
    if (known.length > 0 && missing.length > 0) rows.sort((a, b) => a.id - b.id);
    const projections = lease.projected ? await this.projections(lease, rows) : null;
    let next = lease.firstSequence;
    const originOf = (epoch: number): string => logOrigin(this.logName, lease.destinationId, epoch);
    return rows.map((row) => {
      const sequence = row.sequence ?? next++;
      const { epoch, firstSequence } = epochOf(lease.epochs, sequence);
      const { payload, salt } = projections?.of(row.event_id) ?? row;
      return {
        id: row.id,
        requestedAt: withoutPauses(row.requestedAt, lease.pauses),
        numbered: row.sequence !== null || lease.attempt > 1,
        event: {
          id: row.event_id,
          type: row.type,
          sequence,
          timestampMs: Math.trunc(row.event_created_at_ms),
          resourceId: projections?.partitionKey(row.resource_id) ?? row.resource_id,
          json: appendNumber(payload, {
            epoch,
            sequence,
            isBackfill: row.is_backfill,
            integrity: salt === null ? null : { log: originOf(epoch), index: sequence - firstSequence, salt },
          }),
        },
        traceParent: row.trace_parent,
      };
    });
  }

  private projections({ destinationId }: Lease, rows: readonly BatchRow[]): Promise<Projections> {
    const ids = rows.map((row) => row.event_id);
    return Projections.read(this.db, destinationId, ids);
  }

  private async read(lease: Lease, ids: readonly string[]): Promise<readonly ReadRow[]> {
    const statement = sql<BatchRow>`
      select ${deliveryColumns}
      from deliveries d cross join lateral (select * from events where id = d.event_id limit 1) e
      where d.destination_id = ${lease.destinationId} and ${hasIdIn(ids)} and d.state = 'pending'
      order by d.id`;
    const rows = await executePrepared(this.db, statement);
    const readAt = performance.now();
    return rows.map((row) => readRow(row, readAt));
  }

  /**
   * Returns the deliveries that wait behind a batch, up to `limit` and `maxBytes` of payloads: most of the lane's next
   * batch.
   */
  async prefetch(
    destinationId: string,
    behindId: number,
    limit: number,
    maxBytes: number,
  ): Promise<PrefetchedDeliveries> {
    const statement = sql<BatchRow>`
      select id, sequence, age_ms, event_id, type, resource_id, event_created_at_ms, payload, trace_parent, is_backfill,
             salt
      from (
        select ${deliveryColumns}, sum(octet_length(e.payload)) over (order by d.id) as through
        from (
          select * from deliveries
          where destination_id = ${destinationId} and state = 'pending' and id > ${behindId}
          order by id limit ${limit}
        ) d
        cross join lateral (select * from events where id = d.event_id limit 1) e
      ) as behind
      where through <= ${maxBytes}
      order by id`;
    const rows = await executePrepared(this.db, statement);
    return prefetchedDeliveries(rows, performance.now());
  }
}

/**
 * Returns rows as deliveries that need not be read again.
 * @param readAt when they were read, by `performance.now()`
 */
export function prefetchedDeliveries(rows: readonly BatchRow[], readAt: number): PrefetchedDeliveries {
  return new Map(rows.map((row) => [row.id, readRow(row, readAt)]));
}

/** Adds the time of its request to a row. The row is not copied: there are a thousand in a batch. */
function readRow(row: BatchRow, readAt: number): ReadRow {
  return Object.assign(row, { requestedAt: readAt - row.age_ms });
}

/**
 * Whether `d` is one of these. A single id is compared directly: that plan does not depend on the number of ids.
 */
function hasIdIn(ids: readonly string[]): RawBuilder<boolean> {
  if (ids.length === 1) return sql<boolean>`d.id = ${ids[0]}::bigint`;
  return sql<boolean>`d.id = any(${`{${ids.join(',')}}`}::bigint[])`;
}
