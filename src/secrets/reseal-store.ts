import { sql } from 'kysely';
import type { Transaction } from '../database/database.js';
import type { EncryptedColumn } from './encrypted-columns.js';
import type { SealedSecret } from './key-ring.js';

/** An encrypted row. */
export interface SealedRow extends SealedSecret {
  /** The primary key. */
  readonly key: readonly [string, string];
  /** Null when the resource of the row was deleted: the row can no longer be requested. */
  readonly accountId: string | null;
}

/**
 * Locks and returns the next rows of a column, in the order of the primary key, that another key than `keyId` encrypts.
 * Skips locked rows: waiting for a lock while holding others could deadlock with a client's change.
 */
export async function lockNext(
  trx: Transaction,
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
  const { rows } = await sql<SealedRow>`
    select array[${first}, ${second}] as key, ${account} as "accountId", s.key_id as "keyId", s.nonce, s.ciphertext
    from ${sql.table(column.table)} s
    where s.key_id <> ${keyId} and (${first}, ${second}) > (${after[0]}, ${after[1]})
    order by ${first}, ${second} limit ${limit}
    for update of s skip locked
  `.execute(trx);
  return rows;
}

/** Stores new ciphertexts of locked rows. */
export async function storeResealed(
  trx: Transaction,
  { table, key: [first, second] }: EncryptedColumn,
  keyId: string,
  rows: readonly SealedRow[],
): Promise<void> {
  const [firsts, seconds] = keysOf(rows);
  const nonces = rows.map(({ nonce }) => nonce);
  const ciphertexts = rows.map(({ ciphertext }) => ciphertext);
  await sql`
    update ${sql.table(table)} s set key_id = ${keyId}, nonce = given.nonce, ciphertext = given.ciphertext
    from unnest(${firsts}::text[], ${seconds}::text[], ${nonces}::bytea[], ${ciphertexts}::bytea[])
      as given (first, second, nonce, ciphertext)
    where ${sql.ref(`s.${first}`)} = given.first and ${sql.ref(`s.${second}`)} = given.second
  `.execute(trx);
}

/** Deletes locked rows that can no longer be requested. */
export async function removeSealed(
  trx: Transaction,
  { table, key: [first, second] }: EncryptedColumn,
  rows: readonly SealedRow[],
): Promise<void> {
  const [firsts, seconds] = keysOf(rows);
  await sql`
    delete from ${sql.table(table)} s using unnest(${firsts}::text[], ${seconds}::text[]) as given (first, second)
    where ${sql.ref(`s.${first}`)} = given.first and ${sql.ref(`s.${second}`)} = given.second
  `.execute(trx);
}

function keysOf(rows: readonly SealedRow[]) {
  return [rows.map(({ key }) => key[0]), rows.map(({ key }) => key[1])] as const;
}
