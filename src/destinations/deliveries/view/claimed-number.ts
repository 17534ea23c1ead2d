import { sql } from 'kysely';
import type { Database, Transaction } from '../../../database/database.js';
import { executePrepared } from '../../../database/prepared.js';

/**
 * The number that the claim of a batch gave to the pending delivery `d` of the lane `l`; null when `d` is in no batch.
 * The row of a delivery has its number from the end of its first attempt on, but the target may have received it
 * before. The deliveries of a batch without a number have the numbers from `batch_first_sequence` on, in the order of
 * their ids (`LaneStore.eventsOf`).
 *
 * The common case, a batch without a redelivery, is known from the row of the lane: all numbers from
 * `batch_first_sequence` up to `next_sequence` are those of the batch. Otherwise the part of the batch up to `d` is
 * counted, which is bounded by the size of a batch.
 */
export const claimedNumber = sql<number | null>`case when d.state = 'pending' and d.id = any(l.batch_delivery_ids) then
    l.batch_first_sequence - 1 + case
      when l.next_sequence - l.batch_first_sequence = cardinality(l.batch_delivery_ids)
        then array_position(l.batch_delivery_ids, d.id)
      else (
        select count(*) from deliveries
        where destination_id = l.destination_id and sequence is null
          and id = any(l.batch_delivery_ids[:array_position(l.batch_delivery_ids, d.id)])
      ) end
    end`;

/**
 * `claimedNumber` where no other event can get the number any more. A first attempt may give back the numbers of what
 * it has not sent, and a delivery that was committed during the attempt may get one of them. What is pending after a
 * first attempt has its number on its row, or keeps it in all further attempts (`BatchDelivery.numbered`).
 */
export const settledNumber = sql<number | null>`case when l.batch_attempts > 1 then ${claimedNumber} end`;

/** Deliveries with the numbers that the claim of their batch gave them: two arrays of one length. */
export interface ClaimedNumbers {
  readonly ids: readonly number[];
  readonly numbers: readonly number[];
}

/** The batch of a lane: its deliveries, and the first number that its claim gave. */
export interface NumberedBatch {
  readonly destinationId: string;
  readonly deliveryIds: readonly number[];
  readonly firstSequence: number;
}

/** Returns the deliveries of a batch whose rows have no number yet. Reads at most the rows of the batch. */
export async function readClaimedNumbers(
  db: Database | Transaction,
  { destinationId, deliveryIds, firstSequence }: NumberedBatch,
): Promise<ClaimedNumbers> {
  const rows = await executePrepared(
    db,
    sql<{ id: number }>`
      select id from deliveries
      where destination_id = ${destinationId} and id = any(${`{${deliveryIds.join(',')}}`}::bigint[])
        and sequence is null
      order by id`,
  );
  return { ids: rows.map(({ id }) => id), numbers: rows.map((_, index) => firstSequence + index) };
}
