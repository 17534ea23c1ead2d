import { sql, type Kysely } from 'kysely';

/** A worker of a release before it has no row: its leases end by themselves. */
export const additive = true;

/** The workers that run, or died: a worker that runs holds a lock for its row (docs/decisions/dead-workers.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table worker_presences (
    id integer primary key,
    instance text not null,
    started_at timestamptz not null default now()
  )`.execute(db);
}
