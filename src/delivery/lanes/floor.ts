import { sql, type RawBuilder } from 'kysely';

/** The transactions that were running when the snapshot of the statement was taken: the first, and the first after. */
const xmin = sql`pg_snapshot_xmin(pg_current_snapshot())`;
const xmax = sql`pg_snapshot_xmax(pg_current_snapshot())`;

/**
 * Whether a transaction may still run that began before the next floor was proposed. A transaction id from the future
 * was written in another cluster, before a logical restore: such a proposal is replaced.
 */
const isWaiting = sql`(l.next_floor_xid >= ${xmin} and l.next_floor_xid < ${xmax}) is true`;

/**
 * Assignments that advance the floor of the lane `l`, for an update by a statement that has locked it and scanned its
 * pending deliveries from the floor on.
 *
 * The floor advances in two steps. A scan whose first pending delivery is `first` proposes `first - 1` as the next
 * floor. A transaction that drew a lower id may commit later, so the proposal waits until every transaction that ran
 * then has ended. The scan after that sees all deliveries up to the proposal; when none of them is pending, the
 * proposal becomes the floor. docs/delivery.md has the argument.
 * @param first id of the first pending delivery of the scan; null when none is pending
 */
export function advancedFloor(first: RawBuilder<unknown>): RawBuilder<unknown> {
  const isKept = sql`${isWaiting} or ${first} is null`;
  return sql`floor_id = case when l.next_floor_xid < ${xmin} and l.next_floor_id < ${first}
                            then l.next_floor_id else l.floor_id end,
            next_floor_id = case when ${isKept} then l.next_floor_id else ${first} - 1 end,
            next_floor_xid = case when ${isKept} then l.next_floor_xid else pg_current_xact_id() end`;
}

/** Assignments that lower the floor of a lane below a delivery that becomes pending again. */
export function loweredFloor(id: number): RawBuilder<unknown> {
  return sql`floor_id = least(floor_id, ${id}::bigint - 1), next_floor_id = null, next_floor_xid = null`;
}
