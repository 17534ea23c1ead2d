import { sql, type RawBuilder } from 'kysely';

/** What a delivery `d` gets at its end, as expressions. What is left out stays as it is. */
export interface FinishedValues {
  readonly state: RawBuilder<unknown>;
  readonly errorCode: RawBuilder<unknown>;
  readonly errorMessage: RawBuilder<unknown>;
  readonly sequence?: RawBuilder<unknown>;
  readonly batchId?: RawBuilder<unknown>;
  readonly attempts?: RawBuilder<unknown>;
  readonly earlierRuns?: RawBuilder<unknown>;
}

/**
 * The parts of a statement that finish deliveries `d`: `finished` takes them out of `deliveries`, and `recorded` adds
 * them to `finished_deliveries`. Every snapshot shows a delivery in one of the two tables.
 * @param choice the rest of `delete from deliveries d`: which ones, with `using` where the values need other parts
 */
export function finishing(choice: RawBuilder<unknown>, values: FinishedValues): RawBuilder<unknown> {
  const { state, errorCode, errorMessage } = values;
  const { sequence = sql`d.sequence`, batchId = sql`d.batch_id`, attempts = sql`d.attempts` } = values;
  const { earlierRuns = sql`d.earlier_runs` } = values;
  return sql`
      finished as (
        delete from deliveries d ${choice}
        returning d.id, d.event_id, d.destination_id, d.account_id, ${state} as state, ${sequence} as sequence,
                  ${batchId} as batch_id, ${attempts} as attempts, d.created_at, ${errorCode} as error_code,
                  ${errorMessage} as error_message, d.redelivered_at, ${earlierRuns} as earlier_runs, d.backfill_id
      ),
      recorded as (${insertFinished('finished', sql`now()`)})`;
}

/**
 * Adds deliveries to `finished_deliveries`.
 * @param part the part of the statement that has taken them out of `deliveries`, with the columns of that table
 * @param finishedAt when they finished, as an expression
 */
export function insertFinished(part: string, finishedAt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
        insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, batch_id, attempts,
                                         created_at, finished_at, error_code, error_message, redelivered_at,
                                         earlier_runs, backfill_id)
        select id, event_id, destination_id, account_id, state, sequence, batch_id, attempts,
               created_at, ${finishedAt}, error_code, error_message, redelivered_at, earlier_runs, backfill_id
        from ${sql.ref(part)}`;
}
