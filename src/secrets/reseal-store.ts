import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { SealedSecret } from './key-ring.js';
import type { EncryptedColumn } from './encrypted-columns.js';

/** A row as it is sealed now. */
export interface SealedRow {
  /** Its primary key. */
  readonly key: readonly [string, string];
  /** Null when the resource that it belonged to is gone: nobody can ask for it any more. */
  readonly accountId: string | null;
  readonly sealed: SealedSecret;
}

/** A row and how it is to be sealed from now on. */
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

/** The next rows of a place, in the order of its primary key, that are sealed with another key than `keyId`. */
export async function nextSealedOtherwise(
  db: Database,
  place: EncryptedColumn,
  keyId: string,
  after: readonly [string, string],
  limit: number,
): Promise<SealedRow[]> {
  const [first, second] = [sql.ref(`s.${place.key[0]}`), sql.ref(`s.${place.key[1]}`)];
  const { rows } = await sql<StoredRow>`
    select ${first} as first, ${second} as second, r.account_id, s.key_id, s.nonce, s.ciphertext
    from ${sql.table(place.table)} s left join resources r on r.id = ${sql.ref(`s.${place.resource}`)}
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
 * Stores rows as they are sealed now, in one statement. A row that was changed meanwhile keeps what it was changed to, and one
 * that somebody is just changing is passed by: whoever waits here for a lock while it holds others could deadlock with them.
 * Gives how many were stored.
 */
export async function storeResealed(
  db: Database,
  place: EncryptedColumn,
  rows: readonly ResealedRow[],
): Promise<number> {
  const [keyId] = rows.map(({ sealed }) => sealed.keyId);
  const result = await sql`
    with ${lockedUnchanged(
      place,
      rows.map(({ row }) => row),
      rows.map(({ sealed }) => sealed),
    )}
    update ${sql.table(place.table)} s set key_id = ${keyId}, nonce = locked.nonce, ciphertext = locked.ciphertext
    from locked where ${isLocked(place)}
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Removes rows that nobody can ask for any more, unless they were changed meanwhile. Gives how many. */
export async function removeSealed(
  db: Database,
  place: EncryptedColumn,
  rows: readonly SealedRow[],
): Promise<number> {
  const result = await sql`
    with ${lockedUnchanged(
      place,
      rows,
      rows.map(({ sealed }) => sealed),
    )}
    delete from ${sql.table(place.table)} s using locked where ${isLocked(place)}
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** `locked`: those of the rows that are as they were read, locked, with what they are to hold. */
function lockedUnchanged(
  { table, key }: EncryptedColumn,
  rows: readonly SealedRow[],
  sealed: readonly SealedSecret[],
) {
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
