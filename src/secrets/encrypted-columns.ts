import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { SecretLocation } from './key-ring.js';

/** An encrypted value of a table, in the columns `key_id`, `nonce` and `ciphertext`. */
export interface EncryptedColumn {
  /** Names the rows in the plural, for messages. */
  readonly name: string;
  readonly table: string;
  /** The columns of the primary key, or of another unique one. */
  readonly key: readonly [string, string];
  /**
   * The column with the id of the resource whose account is bound into the ciphertext. Null: the rows are of the
   * installation, which is the account `''`.
   */
  readonly resource: string | null;
  /** Returns the location that a row's ciphertext is bound to, given its primary key. */
  location(accountId: string, key: readonly [string, string]): SecretLocation;
}

/** Returns the location that a stored response of an Idempotency-Key is bound to. */
export function responseLocation(accountId: string, apiKeyId: string, idempotencyKey: string): SecretLocation {
  return { accountId, resourceId: apiKeyId, field: `idempotency.${idempotencyKey}` };
}

/** Returns the location that the private key of a log is bound to. */
export function logKeyLocation(logName: string, id: string): SecretLocation {
  return { accountId: '', resourceId: 'log_keys', field: `${logName}+${id}` };
}

/** Returns the location that a request to erase events is bound to. */
export function erasureLocation(accountId: string, id: string): SecretLocation {
  return { accountId, resourceId: 'erasures', field: id };
}

/** All encrypted data of the database, except the check values of the keys. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    name: 'secrets',
    table: 'secrets',
    key: ['resource_id', 'field'],
    resource: 'resource_id',
    location: (accountId, [resourceId, field]) => ({ accountId, resourceId, field }),
  },
  {
    name: 'stored responses',
    table: 'idempotency_keys',
    key: ['api_key_id', 'idempotency_key'],
    resource: 'api_key_id',
    location: (accountId, [apiKeyId, key]) => responseLocation(accountId, apiKeyId, key),
  },
  {
    name: 'keys of logs',
    table: 'log_keys',
    key: ['log_name', 'id'],
    resource: null,
    location: (_, [logName, id]) => logKeyLocation(logName, id),
  },
  {
    name: 'erasures',
    table: 'erasures',
    key: ['account_id', 'id'],
    resource: null,
    location: (_, [accountId, id]) => erasureLocation(accountId, id),
  },
];

/** The number of rows of one table that one key encrypts. */
export interface EncryptedCount {
  /** `name` of the `EncryptedColumn`. */
  readonly name: string;
  readonly keyId: string;
  readonly rows: number;
}

/** Counts encrypted rows by table and key. */
export async function countEncrypted(db: Database): Promise<EncryptedCount[]> {
  const counts: EncryptedCount[] = [];
  for (const { name, table } of encryptedColumns) {
    const { rows } = await sql<{ key_id: string; rows: number }>`
      select key_id, count(*) as rows from ${sql.table(table)} where key_id is not null group by key_id
    `.execute(db);
    for (const row of rows) counts.push({ name, keyId: row.key_id, rows: row.rows });
  }
  return counts;
}

/** Returns the ids of the keys that encrypt data in the database. */
export async function keysInUse(db: Database): Promise<string[]> {
  const counts = await countEncrypted(db);
  return [...new Set(counts.map(({ keyId }) => keyId))].toSorted();
}
