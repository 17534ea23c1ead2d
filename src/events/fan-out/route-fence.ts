import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import type { Transaction } from '../../database/database.js';
import { Problem } from '../../problems/problem.js';

/**
 * The part `fence` of a fan-out, without rows. Its table lock is granted before the statement takes its snapshot, and
 * is held until the transaction ends. The lock is a fast-path lock and needs no round trip. A statement must refer to
 * this part, so that its plan contains the table.
 */
export const sharedFence = sql`fence as materialized (select 1 from event_route_fence where false for share)`;

/** The part `fence` in a transaction that holds the fence of its account (`holdFence`). It locks nothing. */
export const heldFence = sql`fence as materialized (select 1 where false)`;

/**
 * Holds the fence of one account until the transaction ends, in place of the table lock of `sharedFence`, which changes
 * of routes of all accounts wait for: for transactions that record events for long. It must be the first part of the
 * fence that the transaction takes, and the next statement takes the first snapshot that counts.
 */
export async function holdFence(trx: Transaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(accountId)})`.execute(trx);
}

function keyOf(accountId: string): RawBuilder<unknown> {
  return sql`hashtextextended('route fence ' || ${accountId}, 0)`;
}

/**
 * How long each try waits for the fan-outs under way, in milliseconds. New fan-outs queue behind a waiting try, so the
 * first tries are short, and a pause of the same length follows each. Twelve seconds in all: most clients wait longer.
 */
const TRIES_MS: readonly number[] = [100, 200, 400, 800, 1_600, 3_000];

/** Seconds after which a client may retry. */
const RETRY_AFTER_SECONDS = 5;

/**
 * How long what follows the lock waits for other locks, in milliseconds: every fan-out waits that long. Less than the
 * `deadlock_timeout` of Postgres, so that the fence opens for a transaction that holds such a lock and waits for it.
 */
const FOLLOWING_WAIT_MS = 500;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03';

/** The fence between fan-outs and new event routes (docs/decisions/fan-out.md). */
export class RouteFence {
  constructor(
    private readonly trx: Transaction,
    private readonly accountId: string,
    private readonly triesMs: readonly number[] = TRIES_MS,
  ) {}

  /**
   * Waits for the transactions whose fan-outs have not seen the routes of this transaction, and holds back new fan-outs
   * until this transaction ends. Call it after the routes are written, as late as possible.
   * @param following writes rows that others must not wait for as long as this transaction waits for the lock. It may
   * run again: when it waits too long, what it wrote is rolled back and the lock given up
   * @throws Problem `changes_in_progress` when a transaction lasts too long; do not commit the routes
   */
  async close(following: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (const waitMs of this.triesMs) {
      if (await this.tryFor(waitMs, following)) return;
      await sleep(waitMs);
    }
    const detail =
      'Other changes have been in progress for too long, and this change would miss their events. Nothing was changed. Retry.';
    throw new Problem('changes_in_progress', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Returns whether the lock, and those of `following`, were granted in time. */
  private async tryFor(waitMs: number, following: () => Promise<void>): Promise<boolean> {
    await sql`savepoint route_fence`.execute(this.trx);
    await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(this.trx);
    try {
      // Before the table: fan-outs of other accounts do not wait while this waits for one that holds the account.
      await sql`select pg_advisory_xact_lock(${keyOf(this.accountId)})`.execute(this.trx);
      await sql`lock table event_route_fence in exclusive mode`.execute(this.trx);
      await sql`set local lock_timeout = ${sql.lit(FOLLOWING_WAIT_MS)}`.execute(this.trx);
      await following();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      await sql`rollback to savepoint route_fence`.execute(this.trx);
      return false;
    }
    await sql`release savepoint route_fence`.execute(this.trx);
    await sql`set local lock_timeout to default`.execute(this.trx);
    return true;
  }
}
