import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

/**
 * A table without rows or columns: its lock orders fan-outs against new event routes (docs/decisions/fence.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table event_route_fence ()`.execute(db);
}
