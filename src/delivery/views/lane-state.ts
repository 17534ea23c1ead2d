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
