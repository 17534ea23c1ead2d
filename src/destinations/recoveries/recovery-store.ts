import { sql, type Selectable } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import type { RecoveriesTable } from '../../database/tables.js';
import { newId } from '../../ids/id.js';
import type { UndeliveredState } from '../deliveries/view/delivery-view.js';
import { nextUndelivered, newestUndelivered } from '../deliveries/view/undelivered-rows.js';

/** Prefix of the ids of recoveries. */
export const RECOVERY_PREFIX = 'rcv';

/** Deliveries of each state that are read to count those of a recovery. */
const MOST_COUNTED = 10_000;

/** How long a step may take before another process repeats it, in milliseconds. */
const CLAIM_MS = 60_000;

/** A request to redeliver what several destinations did not receive. */
export interface NewRecovery {
  readonly accountId: string;
  readonly states: readonly UndeliveredState[];
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive; undefined: the present. */
  readonly to: Date | undefined;
  /** Null: every destination. */
  readonly destinationIds: readonly string[] | null;
  readonly principal: { readonly id: string; readonly name: string };
}

/** Where the next step of a recovery begins. */
export interface RecoveryPosition {
  readonly destinationId: string;
  /** Null: the destination is done. */
  readonly state: UndeliveredState | null;
  readonly from: Date;
}

/** A recovery with its progress. */
export type Recovery = Selectable<RecoveriesTable>;

/** A recovery whose next step is claimed. */
export interface ClaimedRecovery extends Recovery {
  /** Names the claim: when it ends, to the microsecond. */
  readonly claim: string;
}

/** Whether a recovery is not finished. */
export const hasUnfinishedRecoveries = sql<boolean>`exists (select from recoveries where finished_at is null)`;

/** Creates, shows, advances and cancels recoveries. */
export class RecoveryStore {
  constructor(private readonly db: Database) {}

  /** Creates a recovery. @returns null while another one of the account is unfinished */
  async create(
    trx: Transaction,
    { accountId, states, from, to, destinationIds, principal }: NewRecovery,
  ): Promise<Recovery | null> {
    const { rows } = await sql<Recovery>`
      insert into recoveries (id, account_id, states, from_time, to_time, destination_ids, total,
                              principal_id, principal_subject)
      select ${newId(RECOVERY_PREFIX)}, ${accountId}, ${states}::text[], ${from}::timestamptz, range.to_time,
             ${destinationIds}::text[], counted.total, ${principal.id}, ${principal.name}
      from (select coalesce(${to ?? null}::timestamptz, now()) as to_time) range
      cross join lateral (
        select case when coalesce(bool_or(read > ${MOST_COUNTED}), false) then null else
          (count(*) filter (
            where created_at >= ${from}::timestamptz and created_at < range.to_time
              and (${destinationIds}::text[] is null or destination_id = any(${destinationIds}::text[]))))::int
          end as total
        from (${newestUndelivered(accountId, states, MOST_COUNTED + 1)}) newest
      ) counted
      on conflict (account_id) where finished_at is null do nothing
      returning *`.execute(trx);
    return rows[0] ?? null;
  }

  /** Returns a recovery of the account, or undefined. */
  async find(accountId: string, id: string): Promise<Recovery | undefined> {
    return this.of(accountId).where('id', '=', id).executeTakeFirst();
  }

  /** Returns at most `limit` recoveries of the account older than `beforeId`, newest first. */
  async page(accountId: string, limit: number, beforeId: string | undefined): Promise<readonly Recovery[]> {
    const query = this.of(accountId).orderBy('id', 'desc').limit(limit);
    return (beforeId === undefined ? query : query.where('id', '<', beforeId)).execute();
  }

  /** Ends a recovery. What it has queued is sent. @returns undefined when it had ended before */
  async end(trx: Transaction, id: string, state: 'finished' | 'cancelled'): Promise<Recovery | undefined> {
    return trx
      .updateTable('recoveries')
      .set({ state, finished_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
  }

  /** Claims the unfinished recovery whose last step is longest ago; undefined when there is none to claim. */
  async claim(): Promise<ClaimedRecovery | undefined> {
    const { rows } = await sql<ClaimedRecovery>`
      update recoveries set claimed_until = ${fromNow(CLAIM_MS)}
      where id = (
        select id from recoveries where finished_at is null and claimed_until < now()
        order by claimed_until limit 1 for update skip locked
      )
      returning *, claimed_until::text as claim`.execute(this.db);
    return rows[0];
  }

  /**
   * Records the result of a step, and ends its claim. When another process has claimed the step since, only the count
   * is added: the other one has not found what this one redelivered.
   */
  async advance({ id, claim }: ClaimedRecovery, redelivered: number, next: RecoveryPosition): Promise<void> {
    await sql`update recoveries set redelivered = redelivered + ${redelivered} where id = ${id}`.execute(this.db);
    await sql`
      update recoveries set claimed_until = now(),
        destinations_done = destinations_done + ${next.state === null ? 1 : 0},
        at_destination_id = ${next.destinationId}, at_state = ${next.state}, at_time = ${next.from}
      where id = ${id} and claimed_until = ${claim}::timestamptz`.execute(this.db);
  }

  /** Returns the destination of a recovery after another one, in the order of their ids, newest first. */
  async nextDestination(recovery: Recovery, after: string | null): Promise<string | undefined> {
    const older = after === null ? sql`true` : sql`destination_id collate "C" < ${after}`;
    const { rows } = await sql<{ destination_id: string }>`
      ${
        recovery.destination_ids === null
          ? nextUndelivered(recovery.account_id, older)
          : sql`
        select destination_id from unnest(${recovery.destination_ids}::text[]) as named (destination_id)
        where ${older} order by destination_id collate "C" desc limit 1`
      }`.execute(this.db);
    return rows[0]?.destination_id;
  }

  /** Removes recoveries that ended before `keptMs`. */
  async prune(keptMs: number): Promise<void> {
    await sql`delete from recoveries where finished_at <= ${fromNow(-keptMs)}`.execute(this.db);
  }

  private of(accountId: string) {
    return this.db.selectFrom('recoveries').selectAll().where('account_id', '=', accountId);
  }
}
