import { sql, type Kysely } from 'kysely';
import type { Logger } from '../../logging/logger.js';
import type { ConcurrentIndex } from './migration.js';

/**
 * Builds an index without blocking writes, unless it exists. An invalid one, which an interrupted build leaves, is
 * dropped first. A failed build leaves no index.
 * @param db a connection without a transaction and without a statement timeout
 * @throws what Postgres reports, such as duplicates in a unique index
 */
export async function buildConcurrently(db: Kysely<unknown>, index: ConcurrentIndex, logger: Logger): Promise<void> {
  const { name, unique = false, on } = index;
  const valid = await isValid(db, name);
  if (valid === true) return;
  if (valid === false) await dropConcurrently(db, name);
  logger.info({ index: name }, 'building an index');
  const kind = sql.raw(unique ? 'unique index' : 'index');
  try {
    await sql`create ${kind} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
  } catch (error) {
    // The first error is the reason; an index that cannot be dropped now is dropped by the next start.
    await dropConcurrently(db, name).catch(() => undefined);
    throw error;
  }
}

/** Returns whether an index is valid; null when it does not exist. */
async function isValid(db: Kysely<unknown>, name: string): Promise<boolean | null> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  return rows[0]?.valid ?? null;
}

async function dropConcurrently(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
}
