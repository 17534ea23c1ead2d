import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/database.js';
import type { SecretLocation } from './key-ring.js';

/** A table whose rows hold something sealed, in its columns `key_id`, `nonce` and `ciphertext`. */
export interface EncryptedColumn {
  /** What its rows are, in the plural. */
  readonly name: string;
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly [string, string];
  /** Id of the resource whose account is bound into the seal. */
  readonly resource: string;
  /** Where a row is sealed for, given its primary key. */
  location(accountId: string, key: readonly [string, string]): SecretLocation;
}

/** Where the answer to a request with an Idempotency-Key is sealed for. */
export function answerLocation(accountId: string, apiKeyId: string, idempotencyKey: string): SecretLocation {
  return { accountId, resourceId: apiKeyId, field: `idempotency.${idempotencyKey}` };
}

/**
 * Everything that is sealed in the database, but for the proofs of the keys themselves. (The cookie of a dashboard session is
 * sealed too, and kept nowhere: with its key gone, one signs in again.)
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    name: 'secrets',
    table: 'secrets',
    key: ['resource_id', 'field'],
    resource: 'resource_id',
    location: (accountId, [resourceId, field]) => ({ accountId, resourceId, field }),
  },
  {
    name: 'remembered answers',
    table: 'idempotency_keys',
    key: ['api_key_id', 'idempotency_key'],
    resource: 'api_key_id',
    location: (accountId, [apiKeyId, key]) => answerLocation(accountId, apiKeyId, key),
  },
];

/** How much of one place is sealed with one key. */
export interface SealedCount {
  readonly place: string;
  readonly keyId: string;
  readonly rows: number;
}

/** Counts what is sealed, by place and key. */
export async function countSealed(db: Database): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const { name, table } of encryptedColumns) {
    const { rows } = await sql<{ key_id: string; rows: number }>`
      select key_id, count(*) as rows from ${sql.table(table)} where key_id is not null group by key_id
    `.execute(db);
    for (const row of rows) counts.push({ place: name, keyId: row.key_id, rows: row.rows });
  }
  return counts;
}

/** Ids of the keys that something in the database is sealed with. */
export async function keysInUse(db: Database): Promise<string[]> {
  const selects: RawBuilder<unknown>[] = encryptedColumns.map(
    ({ table }) => sql`select key_id from ${sql.table(table)} where key_id is not null`,
  );
  const { rows } = await sql<{ key_id: string }>`
    ${sql.join(selects, sql` union `)} order by key_id
  `.execute(db);
  return rows.map((row) => row.key_id);
}
