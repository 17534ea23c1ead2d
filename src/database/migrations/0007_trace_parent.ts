import { sql, type Kysely } from 'kysely';

/** The releases before it refuse to start on this schema. */
export const additive = false;

/**
 * The step of a trace that recorded the event, so that its deliveries can refer to it; null where nothing was traced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table events add column trace_parent text`.execute(db);
}
