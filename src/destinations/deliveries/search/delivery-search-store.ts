import type { Database } from '../../../database/database.js';
import { int8Array } from '../../../database/int8-array.js';
import { DeliveryViewStore } from '../view/delivery-view-store.js';
import type { DeliveryView } from '../view/delivery-view.js';
import { cursorBehind, DeliveryCursors } from './delivery-cursor.js';
import type { DeliveryFilter, DeliveryRange } from './delivery-filter.js';
import { orderOf, scanOf } from './delivery-scan.js';

/**
 * Most rows of an index that one page reads. Each may need a row of another table, so they are fewer than in a search
 * of events.
 */
const MOST_SCANNED = 5_000;

/** One page of a search of deliveries. */
export interface FoundDeliveries {
  readonly deliveries: readonly DeliveryView[];
  /**
   * The event or the delivery where the page stopped before it had `limit` deliveries; null when it has them, and at
   * the end.
   */
  readonly resumeAt: string | null;
}

/** The searches of the deliveries of a destination (docs/decisions/event-log.md). */
export class DeliverySearchStore {
  constructor(
    private readonly db: Database,
    private readonly mostScanned: number = MOST_SCANNED,
  ) {}

  /**
   * Returns at most `limit` deliveries to a destination that pass a filter; undefined when the account has no such
   * destination. All statements have one snapshot: a delivery that finishes during the search is shown as it
   * was.
   */
  async page(
    accountId: string,
    destinationId: string,
    filter: DeliveryFilter,
    range: DeliveryRange,
    limit: number,
  ): Promise<FoundDeliveries | undefined> {
    return this.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const row = await trx
          .selectFrom('delivery_lanes')
          .select(['floor_id', 'batch_delivery_ids', 'batch_first_sequence', 'next_sequence'])
          .where('destination_id', '=', destinationId)
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (!row) return undefined;
        const lane = {
          accountId,
          destinationId,
          floorId: row.floor_id,
          inFlight: int8Array(row.batch_delivery_ids ?? []),
          claimedFrom: claimedFromOf(filter, row.batch_first_sequence, row.next_sequence),
        };
        const order = orderOf(filter);
        const cursors = new DeliveryCursors(trx, lane, order);
        const older = await cursors.beyond(range.before, 'older');
        const newer = await cursors.beyond(range.after, 'newer');
        if (!older || !newer) return { deliveries: [], resumeAt: null };
        const scan = scanOf(lane, { filter, order: range.order, beyond: [older, newer] });
        const { rows: found } = await scan.page(limit, this.mostScanned).execute(trx);
        const { deliveries, resumeAt } = await new DeliveryViewStore(trx).some(
          found.map(({ id, event_id: eventId }) => ({ id, eventId })),
        );
        const last = deliveries.at(-1);
        if (resumeAt !== null && last) return { deliveries, resumeAt: cursorBehind(order, last) };
        if (found.length >= limit || !scan.isFiltered) return { deliveries, resumeAt: null };
        const { rows: ends } = await scan.end(this.mostScanned).execute(trx);
        const end = ends[0]?.id ?? null;
        return { deliveries, resumeAt: typeof end === 'number' ? `dlv_${end}` : end };
      });
  }
}

/** Returns the first number of the batch in flight where a filter may ask for its numbers; otherwise null. */
function claimedFromOf(
  { sequence_from: from, sequence_to: to }: DeliveryFilter,
  first: number | null,
  next: number,
): number | null {
  const isAsked = from !== undefined || to !== undefined;
  if (!isAsked || first === null) return null;
  return (from ?? 0) < next && (to ?? Infinity) >= first ? first : null;
}
