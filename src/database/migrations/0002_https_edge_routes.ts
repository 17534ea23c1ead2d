import { sql, type Kysely } from 'kysely';

/** The releases before it refuse to start on this schema. */
export const additive = false;

/** Makes the rule of HTTPS edge routes hold: within one edge, no two have the same match_type and match. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unique index https_edge_routes_by_match
    on resources (parent_id, (attributes ->> 'match_type'), (attributes ->> 'match'))
    where kind = 'https_edge_route'`.execute(db);
}
