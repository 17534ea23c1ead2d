import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';
import { isLive } from '../../framework/resource-store.js';

/** An endpoint that is about to be written. */
export interface Candidate {
  readonly id: string;
  readonly accountId: string;
  /** Normalized. */
  readonly url: string;
  readonly pooled: boolean;
  /** Whether the endpoint has the binding `public`. */
  readonly public: boolean;
}

/** An endpoint that conflicts with a candidate. */
export interface ConflictingEndpoint {
  readonly id: string;
  readonly accountId: string;
}

/** Queries on the URLs of endpoints. */
export class EndpointStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Locks a URL, for all accounts, until the transaction ends. Later queries of the transaction see what previous
   * transactions with the lock committed.
   */
  async lockUrl(url: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`endpoint ${url}`}, 0))`.execute(this.trx);
  }

  /** Finds endpoints with the same URL that exclude the candidate, at most 100. */
  async findConflicting(candidate: Candidate): Promise<readonly ConflictingEndpoint[]> {
    const { id, accountId, url, pooled, public: open } = candidate;
    const { rows } = await sql<ConflictingEndpoint>`
      select id, account_id as "accountId" from resources
      where kind = 'endpoint' and attributes ->> 'url' = ${url} and id <> ${id} and ${isLive}
        and case when account_id = ${accountId}
          then not (${pooled}::boolean and (attributes -> 'pooling_enabled')::boolean)
          else ${open}::boolean and attributes -> 'bindings' @> '["public"]' end
      order by id limit 100`.execute(this.trx);
    return rows;
  }
}
