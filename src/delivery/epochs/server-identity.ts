import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';

/** What identifies a database server and its timeline. Null where this role or this server does not tell. */
export interface ServerIdentity {
  /** Made by initdb: another one is another cluster. */
  readonly systemIdentifier: string | null;
  /** Increases with each promotion and with each recovery to a point in time. */
  readonly timeline: number | null;
}

/** SQLSTATE classes of a function that is missing, forbidden or refused by a managed service. */
const unavailable = /^(42|0A|55|22|XX)/;

const systemIdentifier = sql<string>`(select system_identifier::text from pg_control_system())`;
/** The first eight hexadecimal digits of the name of a WAL file. */
const timeline = sql<number>`('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`;

/**
 * Reads the identity of the server on which the transaction runs. The timeline is that of the write-ahead log:
 * `pg_control_checkpoint()` shows the timeline of a promoted standby only after its first checkpoint, minutes after it
 * has taken writes.
 */
export async function readServerIdentity(trx: Transaction): Promise<ServerIdentity> {
  const both = sql<ServerIdentity>`select ${systemIdentifier} as "systemIdentifier", ${timeline} as timeline`;
  return (
    (await rowOrNull(trx, both)) ?? {
      systemIdentifier:
        (await rowOrNull(trx, sql<{ value: string }>`select ${systemIdentifier} as value`))?.value ?? null,
      timeline: (await rowOrNull(trx, sql<{ value: number }>`select ${timeline} as value`))?.value ?? null,
    }
  );
}

/** Returns null when the server refuses the query. The transaction continues. */
async function rowOrNull<Row>(trx: Transaction, query: RawBuilder<Row>): Promise<Row | null> {
  await sql`savepoint identity`.execute(trx);
  let row: Row | null = null;
  try {
    row = (await query.execute(trx)).rows[0] ?? null;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && unavailable.test(String(error.code)))) throw error;
    await sql`rollback to savepoint identity`.execute(trx);
  }
  // Also after the rollback: a row written below a savepoint has another xmin than the id of its transaction.
  await sql`release savepoint identity`.execute(trx);
  return row;
}
