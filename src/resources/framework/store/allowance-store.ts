import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import type { Transaction } from '../../../database/database.js';

/** How many resources of one family an account may have. */
export interface Quota {
  readonly accountId: string;
  /** Name of the family. */
  readonly kind: string;
  readonly most: number;
  /** Whether resources with a parent count. Otherwise they belong to a resource of another family, which counts. */
  readonly withParents: boolean;
}

/**
 * Rows over which the allowances of a quota are spread. Each connection takes from its own row, so that creates at the
 * same time do not wait for each other.
 */
const ROWS = 32;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NOT_NULL_VIOLATION = '23502';

/**
 * Returns the statement that takes one allowance from the row of this connection. It returns the account id, or no row
 * when none is left there or the quota has changed.
 * @param quota the values of a `Quota`, or their placeholders
 * @param condition when it does not hold, none is taken
 */
export function takeAllowance(
  quota: Readonly<Record<keyof Omit<Quota, 'withParents'>, unknown>>,
  condition: RawBuilder<boolean> = sql`true`,
): RawBuilder<unknown> {
  const { accountId, kind, most } = quota;
  return sql`
    update resource_allowances set free = free - 1
    where account_id = ${accountId} and kind = ${kind} and row_number = pg_backend_pid() % ${sql.lit(ROWS)}
      and quota = ${most} and free > 0 and ${condition}
    returning account_id`;
}

/** Whether a create failed because its statement found no allowance: the resource then has no account id. */
export function isWithoutAllowance(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== NOT_NULL_VIOLATION) return false;
  return error.table === 'resources' && error.column === 'account_id';
}

/**
 * The allowances of a quota: how many resources may be created before they are counted again. The sum of the allowances
 * and of the resources never exceeds the quota. The table is unlogged: after a crash it is empty, and the next create
 * counts.
 */
export class AllowanceStore {
  constructor(
    private readonly trx: Transaction,
    private readonly quota: Quota,
  ) {}

  /** Locks the allowances: waits for creates that have taken one, and lets no other take one until the end. */
  async lock(): Promise<void> {
    const { accountId, kind } = this.quota;
    await sql`
      insert into resource_allowances (account_id, kind, row_number, quota, free)
      select ${accountId}, ${kind}, number, 0, 0 from generate_series(0, ${sql.lit(ROWS - 1)}) as number
      on conflict do nothing`.execute(this.trx);
    await sql`
      select from resource_allowances where account_id = ${accountId} and kind = ${kind}
      order by row_number for update`.execute(this.trx);
  }

  /** Returns the number of the account's resources of the family that count, at most the quota. Leased ones do not. */
  async count(): Promise<number> {
    const { accountId, kind, most, withParents } = this.quota;
    const { rows } = await sql<{ found: number }>`
      select count(*)::int as found from (
        select from resources where account_id = ${accountId} and kind = ${kind} and lease_id is null
          and (${withParents} or parent_id is null)
        limit ${most}
      ) as counted`.execute(this.trx);
    return rows[0]?.found ?? 0;
  }

  /** Spreads this many allowances over the locked rows. */
  async spread(allowances: number): Promise<void> {
    const { accountId, kind, most } = this.quota;
    const each = Math.floor(allowances / ROWS);
    await sql`
      update resource_allowances
      set quota = ${most}, free = ${each}::int + (row_number < ${allowances % ROWS}::int)::int
      where account_id = ${accountId} and kind = ${kind}`.execute(this.trx);
  }
}
