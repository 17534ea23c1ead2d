import { sql, type RawBuilder } from 'kysely';

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

/** The batch in flight of a lane. */
export interface BatchInFlight {
  readonly destinationId: string;
  /** The ids of the deliveries in flight, as a `bigint[]`. */
  readonly inFlight: string;
  /** The first number that the claim gave; null where these numbers do not matter. */
  readonly claimedFrom: number | null;
}

/** The rows of the deliveries of a batch that have no number yet, with the numbers that they will have. */
export function claimedRows({ destinationId, inFlight, claimedFrom }: BatchInFlight): RawBuilder<unknown> {
  return sql`(
          select destination_id, id, event_id, state, created_at,
                 ${claimedFrom}::bigint - 1 + row_number() over (order by id) as sequence
          from deliveries
          where destination_id = ${destinationId} and id = any(${inFlight}::bigint[]) and sequence is null
        ) claimed_rows`;
}
