import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';

/** What identifies the history of a database server. Null where this role or this server does not tell. */
export interface ServerIdentity {
  /** Made by initdb: another one is another cluster. */
  readonly systemIdentifier: string | null;
  /** Increases with each promotion and with each recovery to a point in time. */
  readonly timeline: number | null;
}

/** SQLSTATE classes of a function that is missing, forbidden or refused by a managed service. */
const unavailable = /^(42|0A|55|22|XX)/;

/**
 * Reads the identity of the server. The timeline is that of the write-ahead log: `pg_control_checkpoint()` shows the
 * timeline of a promoted standby only after its first checkpoint, minutes after it has taken writes.
 */
export async function readServerIdentity(db: Database): Promise<ServerIdentity> {
  return {
    systemIdentifier: await valueOrNull(
      db,
      sql<{ value: string }>`select system_identifier::text as value from pg_control_system()`,
    ),
    timeline: await valueOrNull(
      db,
      // The first eight hexadecimal digits of the name of a WAL file.
      sql<{ value: number }>`
        select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as value`,
    ),
  };
}

async function valueOrNull<T>(db: Database, query: RawBuilder<{ value: T }>): Promise<T | null> {
  try {
    const { rows } = await query.execute(db);
    return rows[0]?.value ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && unavailable.test(String(error.code))) return null;
    throw error;
  }
}
