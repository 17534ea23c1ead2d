import { sql, type RawBuilder } from 'kysely';
import type { EarlierEpoch } from '../../database/tables.js';

/**
 * The epoch in which this server may assign numbers; null while claims are fenced: after a restart, a restore or a
 * failover, until `Epochs.check` has admitted the server. Both functions read memory, and any role may call them.
 * docs/decisions/epoch.md has the argument.
 */
export const admittedEpoch = sql<number | null>`(
          select epoch from installation
          where id and server_started_at = pg_postmaster_start_time() and xmin = recorded_by::xid)`;

/**
 * Whether a lane has the admitted epoch. Written so that the planner cannot use the index of the epochs: almost every
 * lane has the same one, which statistics of a small table do not show.
 */
export function hasAdmittedEpoch(lane: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${lane}.epoch`)} = ${admittedEpoch}) is true`;
}

/** The epochs of a lane's numbers. */
export interface LaneEpochs {
  readonly epoch: number;
  /** The first number of `epoch`. */
  readonly firstSequence: number;
  /** The epochs before, oldest first; null when there was none. */
  readonly earlier: readonly EarlierEpoch[] | null;
}

/** Returns the epoch of a number, with its first number. A number belongs to one epoch forever. */
export function epochOf(epochs: LaneEpochs, sequence: number): Pick<LaneEpochs, 'epoch' | 'firstSequence'> {
  if (sequence >= epochs.firstSequence) return epochs;
  const earlier = epochs.earlier?.findLast(({ first_sequence: first }) => first <= sequence);
  return earlier ? { epoch: earlier.epoch, firstSequence: earlier.first_sequence } : epochs;
}
