import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';
import { urlsAt } from '../../families/endpoints/endpoint-url.js';
import { isLive } from '../../framework/store/resource-store.js';

/** An endpoint that is about to be written. */
export interface Candidate {
  readonly id: string;
  readonly accountId: string;
  /** Normalized. */
  readonly url: string;
  readonly hostport: string;
  readonly pooled: boolean;
  /** Whether the endpoint has the binding `public`: unset bindings mean it. */
  readonly public: boolean;
}

/** An edge or endpoint that serves the hostport of a candidate. */
export interface ConflictingServer {
  readonly id: string;
  readonly accountId: string;
}

/** Queries on the URLs and hostports that endpoints serve. The endpoints of edges are among them. */
export class ServedUrlStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Locks hostports, for all accounts, until the transaction ends, in a common order. Later queries of the transaction
   * see what previous transactions with the locks committed.
   */
  async lockHostports(hostports: readonly string[]): Promise<void> {
    await sql`
      select pg_advisory_xact_lock(hashtextextended('hostport ' || hostport, 0))
      from (select distinct unnest(${hostports}::text[]) as hostport order by hostport) as hostports
    `.execute(this.trx);
  }

  /**
   * Finds what excludes the candidate from its hostport, at most 100: edges and endpoints, except endpoints that share
   * the URL with it by pooling, and endpoints of other accounts where one of the two is not public.
   */
  async findConflicting(candidate: Candidate): Promise<readonly ConflictingServer[]> {
    const { id, accountId, url, hostport, pooled, public: open } = candidate;
    const { rows } = await sql<ConflictingServer>`
      select case attributes ->> 'type' when 'edge' then parent_id else id end as id, account_id as "accountId"
      from resources
      where kind = 'endpoint' and attributes ->> 'url' = any(${urlsAt(hostport)}) and id <> ${id} and ${isLive}
        and case when account_id = ${accountId}
          then not (attributes ->> 'url' = ${url} and ${pooled}::boolean and (attributes -> 'pooling_enabled')::boolean)
          else ${open}::boolean and coalesce(nullif(attributes -> 'bindings', 'null'), '["public"]') @> '["public"]' end
      order by id limit 100`.execute(this.trx);
    return rows;
  }
}
