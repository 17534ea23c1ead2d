import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import { responseLocation } from '../../secrets/encrypted-columns.js';
import type { KeyRing, SealedSecret, SecretLocation } from '../../secrets/key-ring.js';

/** How long a response is stored, in hours. */
const RETENTION_HOURS = 24;
/**
 * How long a request may reserve its key without a response, in seconds. After that another request can take over the
 * key, and a change of the first request is not committed (`IdempotencyReservation.storeResponse`).
 */
export const ABANDONED_AFTER_SECONDS = 60;

/** A request that claims an idempotency key. */
export interface Claim {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly idempotencyKey: string;
  /** SHA-256 of method, path and body. */
  readonly requestHash: Buffer;
  readonly operationId: string;
}

/** A response that is replayed for a repeated request. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Result of a claim. */
export type ClaimResult =
  | { readonly kind: 'reserved' }
  | { readonly kind: 'completed'; readonly response: StoredResponse }
  | { readonly kind: 'in_use' }
  | { readonly kind: 'reused' };

/**
 * Responses of requests with an Idempotency-Key. Bodies are sealed, since they hold what clients wrote.
 */
export class IdempotencyStore {
  constructor(
    private readonly db: Database,
    private readonly ring: KeyRing,
  ) {}

  /** Returns the store of a transaction. */
  inTransaction(trx: Transaction): IdempotencyStore {
    return new IdempotencyStore(trx, this.ring);
  }

  /** Reserves the key for this request, or returns its state if another request has used it. */
  async claim(claim: Claim): Promise<ClaimResult> {
    // Repeated when the row is deleted between the two queries: its request failed, and the key is free.
    for (let attempt = 1; ; attempt += 1) {
      if (await this.reserve(claim)) return { kind: 'reserved' };
      const found = await this.find(claim);
      if (found !== null) return found;
      if (attempt === 3) return { kind: 'in_use' };
    }
  }

  /** Inserts the row, or takes over an expired or abandoned one. */
  private async reserve(claim: Claim): Promise<boolean> {
    const row = await this.db
      .insertInto('idempotency_keys')
      .values({
        api_key_id: claim.apiKeyId,
        idempotency_key: claim.idempotencyKey,
        request_hash: claim.requestHash,
        operation_id: claim.operationId,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['api_key_id', 'idempotency_key'])
          .doUpdateSet({
            request_hash: claim.requestHash,
            operation_id: claim.operationId,
            status: null,
            headers: null,
            key_id: null,
            nonce: null,
            ciphertext: null,
            created_at: sql`now()`,
          })
          .where((where) =>
            where.or([
              where('idempotency_keys.created_at', '<', sql<Date>`now() - make_interval(hours => ${RETENTION_HOURS})`),
              where.and([
                where('idempotency_keys.status', 'is', null),
                where(
                  'idempotency_keys.created_at',
                  '<',
                  sql<Date>`now() - make_interval(secs => ${ABANDONED_AFTER_SECONDS})`,
                ),
              ]),
            ]),
          ),
      )
      .returning('operation_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  private async find(claim: Claim): Promise<ClaimResult | null> {
    const row = await this.db
      .selectFrom('idempotency_keys')
      .where('api_key_id', '=', claim.apiKeyId)
      .where('idempotency_key', '=', claim.idempotencyKey)
      .select(['request_hash', 'status', 'headers', 'key_id', 'nonce', 'ciphertext'])
      .executeTakeFirst();
    if (row === undefined) return null;
    if (!row.request_hash.equals(claim.requestHash)) return { kind: 'reused' };
    const { status, key_id: keyId, nonce, ciphertext } = row;
    if (status === null || keyId === null || nonce === null || ciphertext === null) return { kind: 'in_use' };
    const body = this.ring.open(locationOf(claim), { keyId, nonce, ciphertext });
    return { kind: 'completed', response: { status, headers: row.headers ?? {}, body } };
  }

  /** Stores the response, unless another request has taken over the key. Returns whether it was stored. */
  async storeResponse(claim: Claim, response: StoredResponse): Promise<boolean> {
    const sealed: SealedSecret = this.ring.seal(locationOf(claim), response.body);
    const result = await this.db
      .updateTable('idempotency_keys')
      .set({
        status: response.status,
        headers: JSON.stringify(response.headers),
        key_id: sealed.keyId,
        nonce: sealed.nonce,
        ciphertext: sealed.ciphertext,
      })
      .where('api_key_id', '=', claim.apiKeyId)
      .where('idempotency_key', '=', claim.idempotencyKey)
      .where('operation_id', '=', claim.operationId)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Releases the key of a request that changed nothing. */
  async release(claim: Claim): Promise<void> {
    await this.db
      .deleteFrom('idempotency_keys')
      .where('api_key_id', '=', claim.apiKeyId)
      .where('idempotency_key', '=', claim.idempotencyKey)
      .where('operation_id', '=', claim.operationId)
      .where('status', 'is', null)
      .execute();
  }
}

function locationOf(claim: Claim): SecretLocation {
  return responseLocation(claim.accountId, claim.apiKeyId, claim.idempotencyKey);
}

/**
 * Deletes at most `limit` keys that are older than RETENTION_HOURS, the oldest first.
 * @returns the number of deleted keys
 */
export async function deleteExpiredKeys(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (api_key_id, idempotency_key) in (
      select api_key_id, idempotency_key from idempotency_keys
      where created_at <= ${fromNow(-RETENTION_HOURS * 3_600_000)} order by created_at limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
