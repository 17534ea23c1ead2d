import { sql, type Kysely } from 'kysely';
import type { Logger } from '../../logging/logger.js';
import { indexPartitions } from '../partition-indexes.js';

/** A release before it works with this schema, and creates the indexes of each new day. */
export const additive = true;

/** The account is first in both: the deliveries of another account cost a request nothing. */
const BY_ACCOUNT = `(account_id, state, id) where state in ('rejected', 'expired')`;
const BY_DESTINATION = `(account_id, destination_id, state, id) where state in ('rejected', 'expired')`;

export const before = [
  {
    inTransaction: false,
    run: (db: Kysely<unknown>, logger: Logger) =>
      indexPartitions(
        db,
        'delivery_history',
        { undelivered: BY_ACCOUNT, undelivered_by_destination: BY_DESTINATION },
        logger,
      ),
  },
];

/**
 * Finds the deliveries of an account that ended without being delivered. Postgres adopts the equal indexes of the days,
 * so this builds one only for a day that was created since then, which is empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index delivery_history_undelivered on delivery_history ${sql.raw(BY_ACCOUNT)}`.execute(db);
  await sql`create index delivery_history_undelivered_by_destination on delivery_history ${sql.raw(BY_DESTINATION)}`.execute(
    db,
  );
}

/** Both have rows only of what processes before 0033 have finished, until these are moved to the history. */
export const indexes = [
  { name: 'deliveries_undelivered', on: `deliveries ${BY_ACCOUNT}` },
  { name: 'deliveries_undelivered_by_destination', on: `deliveries ${BY_DESTINATION}` },
];
