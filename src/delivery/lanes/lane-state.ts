import { sql } from 'kysely';
import type { LaneStatus } from '../../database/tables.js';

/** Every state of a lane, as the API and the metrics show it: its status, or `paused`. */
export const laneStates = ['healthy', 'retrying', 'misconfigured', 'paused'] as const satisfies readonly (
  | LaneStatus
  | 'paused'
)[];
export type LaneState = (typeof laneStates)[number];

/** The state of a row of `delivery_lanes`: the expression of the index `delivery_lanes_by_state`. */
export const laneState = sql<LaneState>`case when paused_at is null then status else 'paused' end`;

/**
 * Since when a row of `delivery_lanes` is in its state. A state that a pause has interrupted begins anew at its end.
 * The last pause that has ended is always kept.
 */
export const laneStateSince = sql<Date>`coalesce(paused_at, greatest(status_since, upper(pauses)))`;
