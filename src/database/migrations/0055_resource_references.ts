import { sql, type Kysely } from 'kysely';
import type { Logger } from '../../logging/logger.js';
import { buildConcurrently } from '../concurrent-index.js';

/** A release before it finds the references to a resource by the same first column. */
export const additive = true;

const index = { name: 'resource_links_by_referrer', on: 'resource_links (to_id, from_id)' };

export const before = [
  { inTransaction: false, run: (db: Kysely<unknown>, logger: Logger) => buildConcurrently(db, index, logger) },
];

/** The index that has the references to a resource in the order of their list replaces the one that has no order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists resource_links_by_target`.execute(db);
}
