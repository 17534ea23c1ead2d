import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';
import { isLive } from '../../framework/resource-store.js';

/** An endpoint that is about to be written. */
export interface Candidate {
  readonly id: string;
  readonly accountId: string;
  /** In its one form. */
  readonly url: string;
  readonly pooled: boolean;
  /** Whether it is reached from the internet. */
  readonly public: boolean;
}

/** An endpoint that cannot be served beside a candidate. */
export interface Obstacle {
  readonly id: string;
  readonly accountId: string;
}

/** Every query about where endpoints are served. */
export class EndpointStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Makes everyone who is about to serve the same url wait until this transaction ends, whatever their account. The queries
   * that follow see what those before them have committed.
   */
  async lockUrl(url: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`endpoint ${url}`}, 0))`.execute(this.trx);
  }

  /** Endpoints at the candidate's url that keep it from being served, at most 100. */
  async obstacles(candidate: Candidate): Promise<readonly Obstacle[]> {
    const { id, accountId, url, pooled, public: open } = candidate;
    const { rows } = await sql<Obstacle>`
      select id, account_id as "accountId" from resources
      where kind = 'endpoint' and attributes ->> 'url' = ${url} and id <> ${id} and ${isLive}
        and case when account_id = ${accountId}
          then not (${pooled}::boolean and (attributes -> 'pooling_enabled')::boolean)
          else ${open}::boolean and attributes -> 'bindings' @> '["public"]' end
      order by id limit 100`.execute(this.trx);
    return rows;
  }
}
