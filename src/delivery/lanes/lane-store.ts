import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';
import type { TargetKind } from '../../targets/target.js';
import type { JobEvent } from '../queues/job.js';
import { advanceStatement, advanceValues, leaseAfter, type Advance } from './advance-statement.js';
import { rowsBy, type LockMode } from './asked-lanes.js';
import { limitsTable, type LimitsByKind } from './batch-limits.js';
import {
  claimStatement,
  claimValues,
  type ClaimRequest,
  type ClaimRow,
  type ClaimStatement,
} from './claim-statement.js';
import { admittedEpoch } from './epoch.js';
import { expireStatement } from './expire-statement.js';
import type { AdvanceResult, Lease, SettleResult, Settlement } from './lane.js';
import {
  leaseStatement,
  leaseValues,
  loadedLeases,
  resumedSince,
  type Grant,
  type LeaseRequest,
  type LoadedLease,
} from './lease.js';
import { pauseStatement, unpauseStatement } from './pauses.js';
import { keepsDeliveries, settleStatement, settleValues, type EndedAttempt } from './settle-statement.js';

/** How long a job waits while claims are fenced, in milliseconds. */
const FENCED_DELAY_MS = 1_000;

/** How long a job waits while its lane is paused, in milliseconds. The end of the pause promotes it. */
const PAUSED_DELAY_MS = 86_400_000;

const leaseStatements = { skips: leaseStatement('skips'), waits: leaseStatement('waits') };
const settleStatements = {
  skips: { keeping: settleStatement('skips', true), finishing: settleStatement('skips', false) },
  waits: { keeping: settleStatement('waits', true), finishing: settleStatement('waits', false) },
};

/** A batch as its claim returns it. */
export interface ClaimedBatch {
  readonly destinationId: string;
  readonly targetKind: TargetKind;
  readonly batchId: string;
  readonly events: readonly JobEvent[];
  /** Consecutive attempts in the lane that delivered nothing. */
  readonly failures: number;
}

/** The batch of a lane that was resumed. */
export interface ResumedBatch {
  readonly destinationId: string;
  readonly batchId: string;
  readonly targetKind: TargetKind;
  /** Whether an attempt at it is under way, in whichever job. */
  readonly isLeased: boolean;
}

/** The result of a claim that waits for no lock: `left` to a claim of its own, which may wait. */
export type GroupedClaim = ClaimedBatch | 'left' | null;

/**
 * The lanes: one row for each destination, with at most one batch in flight. docs/delivery.md has the rules by
 * which sequences have no gaps and no wake-up is lost; every statement depends on them. Long statements have files of
 * their own.
 */
export class LaneStore {
  private readonly claiming: Readonly<Record<LockMode, ClaimStatement>>;
  private readonly advancing: ReturnType<typeof advanceStatement>;

  /** @param batchLimits the limits of a claim, for each kind of target */
  constructor(
    private readonly db: Database,
    readonly batchLimits: LimitsByKind,
  ) {
    const limits = limitsTable(batchLimits);
    this.claiming = { skips: claimStatement(limits, 'skips'), waits: claimStatement(limits, 'waits') };
    this.advancing = advanceStatement(limits);
  }

  /** Returns the same lanes by another access to the database. */
  on(db: Database): LaneStore {
    return new LaneStore(db, this.batchLimits);
  }

  /**
   * Creates the lane of a new destination, in the destination's transaction.
   * @param lane.pausedAt since when it is paused, by the database's clock; null or absent: it is not
   * @param lane.mutedUntil the end of its mute; null or absent: it is not muted
   */
  async create(
    trx: Transaction,
    lane: {
      destinationId: string;
      accountId: string;
      targetKind: TargetKind;
      pausedAt?: Date | null;
      mutedUntil?: Date | null;
    },
  ): Promise<void> {
    await trx
      .insertInto('delivery_lanes')
      .values({
        destination_id: lane.destinationId,
        account_id: lane.accountId,
        target_kind: lane.targetKind,
        epoch: sql<number>`(select epoch from installation)`,
        paused_at: lane.pausedAt ?? null,
        muted_until: lane.mutedUntil ?? null,
      })
      .execute();
  }

  /**
   * Pauses a lane, in the transaction of its destination's change.
   * @param at since when, by the database's clock
   */
  async pause(trx: Transaction, destinationId: string, at: Date): Promise<void> {
    await pauseStatement(destinationId, at).execute(trx);
  }

  /**
   * Notes until when a lane is muted, in the transaction of its destination's change. Its deliveries are as before.
   * @param until null: it is not muted
   */
  async mute(trx: Transaction, destinationId: string, until: Date | null): Promise<void> {
    await trx
      .updateTable('delivery_lanes')
      .set({ muted_until: until })
      .where('destination_id', '=', destinationId)
      .execute();
  }

  /** Whether a lane is paused. */
  async isPaused(destinationId: string): Promise<boolean> {
    const query = this.db.selectFrom('delivery_lanes').select('paused_at').where('destination_id', '=', destinationId);
    return (await query.executeTakeFirst())?.paused_at != null;
  }

  /** Ends the pause of a lane, in the transaction of its destination's change. `resume` follows the commit. */
  async unpause(trx: Transaction, destinationId: string): Promise<void> {
    await unpauseStatement(destinationId).execute(trx);
  }

  /**
   * Claims one lane's next batch, in order, within the target's limits, and numbers it. Waits for the lane's lock. Null
   * when the lane is busy, in backoff, paused or empty, and when it changed while the claim waited: the process that
   * changed it claims afterwards.
   */
  async claim(destinationId: string, batchId: string): Promise<ClaimedBatch | null> {
    const [claim = null] = await this.claimBy('waits', [{ destinationId, batchId }]);
    return claim === 'left' ? null : claim;
  }

  /**
   * Claims the next batch of each lane, as `claim` does, and waits for no lock. Leaves a lane to a claim of its own
   * when another transaction has locked or changed it, and, of several lanes, those in which many deliveries wait.
   * @param lanes different lanes
   * @returns a result for each lane, in order
   */
  async claimGroup(lanes: readonly ClaimRequest[]): Promise<readonly GroupedClaim[]> {
    return this.claimBy('skips', lanes);
  }

  private async claimBy(mode: LockMode, lanes: readonly ClaimRequest[]): Promise<readonly GroupedClaim[]> {
    const rows = await this.claiming[mode].execute(this.db, claimValues(lanes));
    const byBatch = rowsBy(rows, ({ batch_id: batchId }) => batchId);
    return lanes.map((request) => {
      const claimed = byBatch.get(request.batchId) ?? [];
      return claimed[0]?.event_id === null ? 'left' : claimedBatch(request, claimed);
    });
  }

  /**
   * Requests the lease on an attempt at one lane's batch. Waits for the lane's lock.
   * @param leaseMs how long the lease lasts unless it is renewed, in milliseconds
   * @param failingWaitMs null, or the backoff that a failing lane gets instead of the lease, in milliseconds
   */
  async lease(
    destinationId: string,
    batchId: string,
    token: string,
    leaseMs: number,
    failingWaitMs: number | null = null,
  ): Promise<Grant> {
    const [leased] = await this.leaseBy('waits', [{ destinationId, batchId, token, failingWaitMs }], leaseMs);
    return leased ?? this.reasonForRefusal(destinationId, batchId);
  }

  /**
   * Requests the leases of several lanes, as `lease` does, and waits for no lock.
   * @returns for each request, in order: its result; null when it must be requested alone
   */
  async leaseGroup(requests: readonly LeaseRequest[], leaseMs: number): Promise<readonly (LoadedLease | null)[]> {
    return this.leaseBy('skips', requests, leaseMs);
  }

  private async leaseBy(mode: LockMode, requests: readonly LeaseRequest[], leaseMs: number) {
    const rows = await leaseStatements[mode].execute(this.db, leaseValues(requests, leaseMs));
    return loadedLeases(requests, rows, performance.now());
  }

  private async reasonForRefusal(destinationId: string, batchId: string): Promise<Grant> {
    const { rows } = await sql<{ delay_ms: number }>`
      select greatest(
        case when l.epoch = ${admittedEpoch} then 0 else ${FENCED_DELAY_MS}::int end,
        case when l.paused_at is null then 0 else ${PAUSED_DELAY_MS}::int end,
        extract(epoch from resume_at - now()) * 1000, extract(epoch from attempt_until - now()) * 1000
      )::float8 as delay_ms
      from delivery_lanes l where destination_id = ${destinationId} and batch_id = ${batchId}`.execute(this.db);
    const [row] = rows;
    return row ? { kind: 'later', delayMs: Math.ceil(row.delay_ms) } : { kind: 'void' };
  }

  /**
   * Renews the lease of an attempt. Returns false when the lease was lost: the attempt can no longer be recorded. Does
   * not compare the batch: while the attempt before it is being recorded, the lane may still have that one's.
   */
  async renew({ destinationId, token }: Lease, leaseMs: number): Promise<boolean> {
    const statement = sql`
      update delivery_lanes set attempt_until = ${fromNow(leaseMs)}
      where destination_id = ${destinationId} and attempt_token = ${token}
      returning destination_id`;
    return (await executePrepared(this.db, statement)).length === 1;
  }

  /** Gives back a lease that was not used. The attempt does not count. */
  async giveBack({ destinationId, batchId, token }: Lease): Promise<void> {
    await sql`
      update delivery_lanes set attempt_token = null, attempt_until = null, batch_attempts = batch_attempts - 1
      where destination_id = ${destinationId} and batch_id = ${batchId} and attempt_token = ${token}`.execute(this.db);
  }

  /**
   * Gives back a lease that was not used, and starts a backoff, unless the lane was resumed since the lease was
   * granted.
   * @returns whether the lane backs off
   */
  async backOff(lease: Lease, delayMs: number): Promise<boolean> {
    const { rows } = await sql<{ backs_off: boolean }>`
      update delivery_lanes
      set attempt_token = null, attempt_until = null, batch_attempts = batch_attempts - 1,
          resume_at = case when ${resumedSince(lease)} then resume_at else ${fromNow(delayMs)} end
      where destination_id = ${lease.destinationId} and batch_id = ${lease.batchId} and attempt_token = ${lease.token}
      returning coalesce(resume_at > now(), false) as backs_off`.execute(this.db);
    return rows[0]?.backs_off ?? false;
  }

  /**
   * Records an attempt in one statement: the outcome of each delivery, the lane's status and backoff, and the attempt
   * itself. Frees the lane, or keeps the rest of its batch. Unsent deliveries go back to the lane, with their numbers.
   * Waits for the lane's lock.
   */
  async settle(lease: Lease, settlement: Settlement): Promise<SettleResult> {
    const [result] = await this.settleBy('waits', [{ lease, settlement }]);
    return result ?? 'lost';
  }

  /**
   * Records attempts of several lanes, as `settle` does, and waits for no lock.
   * @returns for each attempt, in order: its result; null when it must be recorded alone
   */
  async settleGroup(attempts: readonly EndedAttempt[]): Promise<readonly (SettleResult | null)[]> {
    return this.settleBy('skips', attempts);
  }

  private async settleBy(mode: LockMode, attempts: readonly EndedAttempt[]): Promise<readonly (SettleResult | null)[]> {
    const statement = settleStatements[mode][attempts.some(keepsDeliveries) ? 'keeping' : 'finishing'];
    const rows = await statement.execute(this.db, settleValues(attempts));
    const byToken = new Map(rows.map((row) => [row.token, row]));
    return attempts.map(({ lease, settlement }) => {
      const row = byToken.get(lease.token);
      if (!row) return null;
      return settlement.delayMs !== null && !row.backs_off ? 'resumed' : 'settled';
    });
  }

  /**
   * Does what `Advance` says in one statement: records an attempt, as `settle` does, and claims the lane's next batch,
   * which gets the lease. The lane is never free in between. Without `current`, the lane is freed when no delivery
   * waits, and the caller must claim again.
   *
   * With `current`, the attempt that is recorded is the one before it, with the same token. The lane's row then holds
   * the batch that is sent, with the claimed deliveries at its end, so that the former one is recorded during the call.
   * docs/delivery.md has the argument.
   * @param leaseMs how long the lease lasts unless it is renewed, in milliseconds
   */
  async advance(advance: Advance, leaseMs: number): Promise<AdvanceResult> {
    const [row] = await this.advancing.execute(this.db, advanceValues([advance], leaseMs));
    return row ? { kind: 'advanced', next: leaseAfter(advance, row) } : { kind: 'unchanged' };
  }

  /** Returns whether an attempt has its lease, and its batch is the lane's: the one before it is recorded then. */
  async isHeld({ destinationId, batchId, token }: Lease): Promise<boolean> {
    const row = await this.db
      .selectFrom('delivery_lanes')
      .select('destination_id')
      .where('destination_id', '=', destinationId)
      .where('batch_id', '=', batchId)
      .where('attempt_token', '=', token)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Expires the overdue ones among the first `limit` deliveries that wait in a failing lane. They are numbered, so that
   * the destination can tell which events it missed. This voids a claim that waits for the lane's lock: when any
   * expired, the caller must notify the dispatcher.
   * @returns how many expired; 0 also when the lane is busy, not failing, or changed while this waited
   */
  async expireWaiting(destinationId: string, deadlineMs: number, limit: number): Promise<number> {
    const { rows } = await expireStatement(destinationId, deadlineMs, limit).execute(this.db);
    return rows[0]?.expired ?? 0;
  }

  /**
   * Ends the lane's backoff, also that of an attempt under way, and resets its backoff schedule.
   * @returns the lane's batch, or null when it has none
   */
  async resume(destinationId: string): Promise<ResumedBatch | null> {
    const { rows } = await sql<{ batch_id: string | null; target_kind: TargetKind; is_leased: boolean }>`
      update delivery_lanes set resume_at = now(), failures = 0
      where destination_id = ${destinationId}
      returning batch_id, target_kind, coalesce(attempt_until > now(), false) as is_leased`.execute(this.db);
    const [row] = rows;
    if (!row || row.batch_id === null) return null;
    return { destinationId, batchId: row.batch_id, targetKind: row.target_kind, isLeased: row.is_leased };
  }

  /** Returns the pending events of a batch, for its job. Empty when the lane has another batch now. */
  async eventsOf({ destinationId, batchId }: Pick<Lease, 'destinationId' | 'batchId'>): Promise<readonly JobEvent[]> {
    const { rows } = await sql<{ id: string; type: string; number: number }>`
      select e.id, e.type, coalesce(d.sequence,
        l.batch_first_sequence - 1 + count(*) filter (where d.sequence is null) over (order by d.id)) as number
      from delivery_lanes l
      join deliveries d on d.destination_id = l.destination_id and d.id = any(l.batch_delivery_ids)
      join events e on e.id = d.event_id
      where l.destination_id = ${destinationId} and l.batch_id = ${batchId}
      order by d.id`.execute(this.db);
    return rows.map(({ id, type, number }) => ({ id, type, sequence: number }));
  }
}

function claimedBatch({ destinationId, batchId }: ClaimRequest, rows: readonly ClaimRow[]): ClaimedBatch | null {
  const [first] = rows;
  if (!first) return null;
  const events = rows.flatMap(({ event_id: id, type, number }) =>
    id === null ? [] : [{ id, type, sequence: number }],
  );
  return { destinationId, targetKind: first.target_kind, batchId, events, failures: first.failures };
}
