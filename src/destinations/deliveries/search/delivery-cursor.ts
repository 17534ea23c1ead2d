import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../../database/database.js';
import { claimedRows, type BatchInFlight } from '../view/claimed-number.js';
import type { DeliveryView } from '../view/delivery-view.js';
import type { DeliveryCursor } from './delivery-filter.js';

/** The order of a search of deliveries: that of their events, or that of an index of deliveries. */
export type DeliveryOrder = 'event' | 'id' | 'created_at' | 'sequence';

/** What is beyond a cursor. */
export interface Beyond {
  /** Conditions on the rows of the index that is walked: of events in the order of events, otherwise of deliveries. */
  readonly scanned: readonly RawBuilder<unknown>[];
  /** Other conditions on deliveries. */
  readonly deliveries: readonly RawBuilder<unknown>[];
}

/**
 * Returns the cursor behind a delivery. In the order of events it is that of the event, which is beyond the same
 * deliveries when this one is removed: those of a backfill have later ids than those of later events.
 */
export function cursorBehind(order: DeliveryOrder, { id, eventId }: Pick<DeliveryView, 'id' | 'eventId'>): string {
  return order === 'event' ? eventId : `dlv_${id}`;
}

/** Finds where pages begin. */
export class DeliveryCursors {
  constructor(
    private readonly trx: Transaction,
    private readonly batch: BatchInFlight,
    private readonly order: DeliveryOrder,
  ) {}

  /**
   * Returns what is beyond a cursor on one side: older deliveries, or newer ones. Null when nothing is.
   */
  async beyond(cursor: DeliveryCursor | undefined, side: 'older' | 'newer'): Promise<Beyond | null> {
    if (cursor === undefined) return { scanned: [], deliveries: [] };
    const is = sql.raw(side === 'older' ? '<' : '>');
    if ('eventId' in cursor) {
      return this.order === 'event'
        ? { scanned: [sql`id ${is} ${cursor.eventId}`], deliveries: [] }
        : { scanned: [], deliveries: [sql`event_id ${is} ${cursor.eventId}`] };
    }
    const { deliveryId } = cursor;
    if (this.order === 'id') return { scanned: [sql`id ${is} ${deliveryId}::bigint`], deliveries: [] };
    const nearest = await this.nearest(deliveryId, side);
    if (!nearest) return null;
    // The nearest delivery of one that was removed is itself beyond.
    const orEqual = nearest.id === deliveryId ? sql`` : sql`=`;
    switch (this.order) {
      case 'event':
        return { scanned: [sql`id ${is}${orEqual} ${nearest.event_id}`], deliveries: [] };
      case 'created_at':
        return {
          scanned: [sql`(created_at, id) ${is} (${nearest.created_at}::timestamptz, ${deliveryId}::bigint)`],
          deliveries: [],
        };
      case 'sequence': {
        // A search for the nearest one with a number could read everything that waits.
        const { sequence } = nearest;
        if (sequence === null) return { scanned: [], deliveries: [sql`id ${is} ${deliveryId}::bigint`] };
        return { scanned: [sql`sequence ${is}${orEqual} ${sequence}::bigint`], deliveries: [] };
      }
    }
  }

  /** Returns a delivery or, when it was removed, the nearest one beyond it. */
  private async nearest(
    deliveryId: number,
    side: 'older' | 'newer',
  ): Promise<{ id: number; event_id: string; created_at: Date; sequence: number | null } | undefined> {
    const [reaches, direction] = side === 'older' ? [sql`<=`, sql`desc`] : [sql`>=`, sql`asc`];
    const claimed =
      this.batch.claimedFrom === null
        ? sql`null`
        : sql`(select sequence from ${claimedRows(this.batch)} where id = all_deliveries.id)`;
    const { rows } = await sql<{ id: number; event_id: string; created_at: Date; sequence: number | null }>`
      select id, event_id, created_at, coalesce(sequence, ${claimed}) as sequence from all_deliveries
      where destination_id = ${this.batch.destinationId} and id ${reaches} ${deliveryId}::bigint
      order by id ${direction} limit 1`.execute(this.trx);
    return rows[0];
  }
}
