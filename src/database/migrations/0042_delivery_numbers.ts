import { sql, type Kysely } from 'kysely';
import type { Logger } from '../../logging/logger.js';
import { indexPartitions } from '../partition-indexes.js';

/** A release before it works with this schema, and creates the index of each new day. */
export const additive = true;

const NUMBERS = '(destination_id, sequence) where sequence is not null';

export const before = [
  {
    inTransaction: false,
    run: (db: Kysely<unknown>, logger: Logger) =>
      indexPartitions(db, 'delivery_history', { by_sequence: NUMBERS }, logger),
  },
];

/**
 * Finds finished deliveries by their numbers. Postgres adopts the equal indexes of the days, so this builds one only
 * for a day that was created since then, which is empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index delivery_history_by_sequence on delivery_history ${sql.raw(NUMBERS)}`.execute(db);
}
