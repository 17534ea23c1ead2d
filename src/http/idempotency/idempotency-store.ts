import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import { hidden, PreparedStatement } from '../../database/prepared.js';
import { Problem } from '../../problems/problem.js';
import { responseLocation } from '../../secrets/encrypted-columns.js';
import type { KeyRing, SealedSecret, SecretLocation } from '../../secrets/key-ring.js';

/** How long a response is stored, in hours. */
const RETENTION_HOURS = 24;
/**
 * How long a request may reserve its key without a response, in seconds. After that another request can take over the
 * key, and a change of the first request is not committed (`storeResponses`).
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

/** A response as it is stored, with the request that reserved its key. */
export interface SealedResponse extends SealedSecret {
  readonly apiKeyId: string;
  readonly idempotencyKey: string;
  readonly operationId: string;
  readonly status: number;
  /** JSON. */
  readonly headers: string;
}

/**
 * Responses of requests with an Idempotency-Key. Bodies are sealed, since they hold what clients wrote.
 */
export class IdempotencyStore {
  constructor(
    private readonly db: Database,
    private readonly ring: KeyRing,
  ) {}

  /**
   * Reserves the key for this request and returns null, or returns the response to replay.
   * @throws Problem `idempotency_key_in_use`, `idempotency_key_reused` or `idempotency_response_erased`
   */
  async claim(claim: Claim): Promise<StoredResponse | null> {
    // Repeated when the row is deleted between the two queries: its request failed, and the key is free.
    for (let attempt = 1; ; attempt += 1) {
      if (await this.reserve(claim)) return null;
      const found = await this.find(claim);
      if (found !== null) return found;
      if (attempt === 3) throw stillInProgress();
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

  /** Returns the stored response of the key; null when no request has used the key. */
  private async find(claim: Claim): Promise<StoredResponse | null> {
    const row = await this.db
      .selectFrom('idempotency_keys')
      .where('api_key_id', '=', claim.apiKeyId)
      .where('idempotency_key', '=', claim.idempotencyKey)
      .select(['request_hash', 'status', 'headers', 'key_id', 'nonce', 'ciphertext'])
      .executeTakeFirst();
    if (row === undefined) return null;
    if (!row.request_hash.equals(claim.requestHash)) {
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used for a request with another path or body. Use a new key.',
      );
    }
    const { status, key_id: keyId, nonce, ciphertext } = row;
    if (status === null) throw stillInProgress();
    if (keyId === null || nonce === null || ciphertext === null) {
      throw new Problem(
        'idempotency_response_erased',
        'The request with this Idempotency-Key was carried out, and its response was erased. Nothing was changed.',
      );
    }
    const body = this.ring.open(locationOf(claim), { keyId, nonce, ciphertext });
    return { status, headers: row.headers ?? {}, body };
  }

  /** Returns the response of a request as it is stored. */
  sealed(claim: Claim, response: StoredResponse): SealedResponse {
    const { apiKeyId, idempotencyKey, operationId } = claim;
    const { status, headers, body } = response;
    const sealed = this.ring.seal(locationOf(claim), body);
    return { apiKeyId, idempotencyKey, operationId, status, headers: JSON.stringify(headers), ...sealed };
  }

  /** Stores the response, unless another request has taken over the key. Returns whether it was stored. */
  storeResponse(claim: Claim, response: StoredResponse): Promise<boolean> {
    return areStored(this.db, [this.sealed(claim, response)]);
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

function stillInProgress(): Problem {
  return new Problem(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is still in progress. Retry later.',
    { retryAfterSeconds: 1 },
  );
}

/**
 * Stores the responses of requests in the transaction of their changes, with one statement.
 * @param sealed undefined for a request without an Idempotency-Key
 * @throws Problem `idempotency_key_in_use` when another request has taken over one of the keys: nothing must be
 * committed
 */
export async function storeResponses(trx: Transaction, sealed: readonly (SealedResponse | undefined)[]): Promise<void> {
  const responses = sealed.filter((one) => one !== undefined);
  if (responses.length === 0 || (await areStored(trx, responses))) return;
  throw new Problem(
    'idempotency_key_in_use',
    'Another request has taken over this Idempotency-Key. Nothing was changed. Retry later.',
    { retryAfterSeconds: 1 },
  );
}

/** Stores responses whose keys no other request has taken over. Returns whether all were stored. */
async function areStored(db: Database, responses: readonly SealedResponse[]): Promise<boolean> {
  const rows = await storing.execute(db, [
    responses.map(({ apiKeyId }) => apiKeyId),
    responses.map(({ idempotencyKey }) => idempotencyKey),
    responses.map(({ operationId }) => operationId),
    responses.map(({ status }) => status),
    responses.map(({ headers }) => headers),
    responses.map(({ keyId }) => keyId),
    responses.map(({ nonce }) => nonce),
    responses.map(({ ciphertext }) => ciphertext),
  ]);
  return rows.length === responses.length;
}

/** Finds each row by its key, whatever the size of the table (docs/decisions/database.md). */
const storing = new PreparedStatement<{ stored: number }>(sql`
  update idempotency_keys set status = given.status, headers = given.headers::jsonb, key_id = given.key_id,
         nonce = given.nonce, ciphertext = given.ciphertext
  from (
    select wanted.*, reserved.place
    from unnest(${hidden(0, 'text[]')}, ${hidden(1, 'text[]')}, ${hidden(2, 'text[]')}, ${hidden(3, 'int[]')},
                ${hidden(4, 'text[]')}, ${hidden(5, 'text[]')}, ${hidden(6, 'bytea[]')}, ${hidden(7, 'bytea[]')})
      as wanted (api_key_id, idempotency_key, operation_id, status, headers, key_id, nonce, ciphertext)
    cross join lateral (
      select ctid as place from idempotency_keys
      where api_key_id = wanted.api_key_id and idempotency_key = wanted.idempotency_key limit 1
    ) reserved
  ) given
  where idempotency_keys.ctid = given.place and idempotency_keys.operation_id = given.operation_id
  returning 1 as stored`);

/**
 * Removes the stored responses of requests: they hold what clients wrote. The keys stay used, so that no repeated
 * request is carried out again.
 */
export async function eraseResponses(
  trx: Transaction,
  requests: readonly { readonly apiKeyId: string; readonly operationId: string }[],
): Promise<void> {
  if (requests.length === 0) return;
  await sql`
    update idempotency_keys k set headers = null, key_id = null, nonce = null, ciphertext = null
    from unnest(${requests.map(({ apiKeyId }) => apiKeyId)}::text[], ${requests.map(({ operationId }) => operationId)}::text[])
      as request (api_key_id, operation_id)
    where k.api_key_id = request.api_key_id and k.operation_id = request.operation_id and k.status is not null`.execute(
    trx,
  );
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
