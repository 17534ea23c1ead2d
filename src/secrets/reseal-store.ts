import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { EncryptedColumn } from './encrypted-columns.js';
import type { SealedSecret } from './key-ring.js';

/** An encrypted row as it was read. */
export interface SealedRow {
  /** The primary key. */
  readonly key: readonly [string, string];
  /** Null when the resource of the row was deleted: the row can no longer be requested. */
  readonly accountId: string | null;
  readonly sealed: SealedSecret;
}

/** A row and its new ciphertext. */
export interface ResealedRow {
  readonly row: SealedRow;
  readonly sealed: SealedSecret;
}

interface StoredRow {
  readonly first: string;
  readonly second: string;
  readonly account_id: string | null;
  readonly key_id: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

/** Returns the next rows of a column, in the order of the primary key, that another key than `keyId` encrypts. */
export async function nextWithOtherKey(
  db: Database,
  column: EncryptedColumn,
  keyId: string,
  after: readonly [string, string],
  limit: number,
): Promise<SealedRow[]> {
  const [first, second] = [sql.ref(`s.${column.key[0]}`), sql.ref(`s.${column.key[1]}`)];
  const account =
    column.resource === null
      ? sql`''`
      : sql`(select account_id from resources where id = ${sql.ref(`s.${column.resource}`)})`;
  const { rows } = await sql<StoredRow>`
    select ${first} as first, ${second} as second, ${account} as account_id, s.key_id, s.nonce, s.ciphertext
    from ${sql.table(column.table)} s
    where s.key_id <> ${keyId} and (${first}, ${second}) > (${after[0]}, ${after[1]})
    order by ${first}, ${second} limit ${limit}
  `.execute(db);
  return rows.map((row) => ({
    key: [row.first, row.second],
    accountId: row.account_id,
    sealed: { keyId: row.key_id, nonce: row.nonce, ciphertext: row.ciphertext },
  }));
}

/**
 * Stores new ciphertexts in one statement. Skips rows that were changed since they were read, and locked rows: waiting
 * for a lock while holding others could deadlock with a client's change.
 * @returns how many rows were stored
 */
export async function storeResealed(
  db: Database,
  column: EncryptedColumn,
  rows: readonly ResealedRow[],
): Promise<number> {
  const [keyId] = rows.map(({ sealed }) => sealed.keyId);
  const result = await sql`
    with ${lockedUnchanged(
      column,
      rows.map(({ row }) => row),
      rows.map(({ sealed }) => sealed),
    )}
    update ${sql.table(column.table)} s set key_id = ${keyId}, nonce = locked.nonce, ciphertext = locked.ciphertext
    from locked where ${isLocked(column)}
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Deletes rows that can no longer be requested, except changed and locked ones. @returns how many */
export async function removeSealed(db: Database, column: EncryptedColumn, rows: readonly SealedRow[]): Promise<number> {
  const result = await sql`
    with ${lockedUnchanged(
      column,
      rows,
      rows.map(({ sealed }) => sealed),
    )}
    delete from ${sql.table(column.table)} s using locked where ${isLocked(column)}
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** The CTE `locked`: the unchanged rows, locked, with their new values. */
function lockedUnchanged({ table, key }: EncryptedColumn, rows: readonly SealedRow[], sealed: readonly SealedSecret[]) {
  const firsts = rows.map((row) => row.key[0]);
  const seconds = rows.map((row) => row.key[1]);
  const olds = rows.map((row) => row.sealed.nonce);
  const nonces = sealed.map(({ nonce }) => nonce);
  const ciphertexts = sealed.map(({ ciphertext }) => ciphertext);
  return sql`
    given as (
      select * from unnest(${firsts}::text[], ${seconds}::text[], ${olds}::bytea[], ${nonces}::bytea[], ${ciphertexts}::bytea[])
        as g (first, second, old, nonce, ciphertext)
    ),
    locked as (
      select g.first, g.second, g.nonce, g.ciphertext from ${sql.table(table)} s
      join given g on ${sql.ref(`s.${key[0]}`)} = g.first and ${sql.ref(`s.${key[1]}`)} = g.second and s.nonce = g.old
      for update of s skip locked
    )`;
}

function isLocked({ key }: EncryptedColumn) {
  return sql`${sql.ref(`s.${key[0]}`)} = locked.first and ${sql.ref(`s.${key[1]}`)} = locked.second`;
}
