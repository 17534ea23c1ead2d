import { sql } from 'kysely';

/** Most earlier runs that a delivery keeps. */
const MAX_EARLIER_RUNS = 10;

/**
 * `earlier_runs` of the delivery `d` with its current run appended, if there is one: for a statement that starts
 * another run.
 */
export const earlierRunsWithCurrent = sql`case when d.batch_id is null then d.earlier_runs else
  case when jsonb_array_length(d.earlier_runs) >= ${sql.lit(MAX_EARLIER_RUNS)} then d.earlier_runs - 0
       else coalesce(d.earlier_runs, '[]') end
  || jsonb_build_object('batch_id', d.batch_id, 'attempts', d.attempts, 'state', d.state,
                        'code', d.error_code, 'message', d.error_message) end`;
