import { sql, type Kysely } from 'kysely';

/** The releases before it refuse to start on this schema. */
export const additive = false;

const statements = [
  // redelivered_at: its deadline counts from there. earlier_runs: the batches and ends of the times before, newest
  // last.
  sql`alter table deliveries add column redelivered_at timestamptz, add column earlier_runs jsonb`,

  // What is finished, by state, in order of time: for lists, and for redelivering a range. What is pending is not in
  // it, so a claim is never offered it; it costs one entry when a delivery is finished.
  sql`create index deliveries_finished on deliveries (destination_id, state, created_at, id) where state <> 'pending'`,

  // A batch that is tried for days has hundreds of attempts, and a list shows the last few.
  sql`drop index delivery_attempts_by_batch`,
  sql`create index delivery_attempts_by_batch on delivery_attempts (batch_id, number)`,
];

/** What it takes to look at deliveries and to make them again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
