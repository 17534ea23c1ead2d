import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../ids/id.js';
import { thisMoment } from '../../timing/moment.js';
import type { DeliveryObserver } from '../delivery-observer.js';
import type { WitnessLog } from '../epochs/witness-log.js';
import type { Advance } from '../lanes/advance-statement.js';
import { epochOf } from '../lanes/epoch.js';
import type { LaneStore } from '../lanes/lane-store.js';
import type { GrantedLease, Lease, NextBatchIds, Settlement, SettleResult } from '../lanes/lane.js';
import type { EndedAttempt } from '../lanes/settle-statement.js';
import { isForGroup, type LaneGroups } from './lane-groups.js';
import { LEASE_MS } from './lease-keeper.js';

/**
 * Waits between tries to record an attempt, in milliseconds: a batch whose attempt is not recorded is sent again.
 */
const SETTLE_RETRIES_MS = [100, 300, 1_000, 2_000, 4_000, 8_000, 15_000];

/** What a recorder works with. */
export interface RecorderParts {
  readonly lanes: LaneStore;
  /**
   * The lanes by few connections: the settlements of many calls that fail at the same moment leave the others to the
   * destinations that work.
   */
  readonly failingLanes: LaneStore;
  readonly groups: LaneGroups;
  readonly observer: DeliveryObserver;
  readonly witnessLog: WitnessLog;
  /** Returns the token of a new attempt. */
  readonly newToken: () => string;
}

/** An attempt that is recorded. */
export interface RecordedAttempt {
  /** The settlement as it was recorded: without a backoff where the lane was resumed during the attempt. */
  readonly recorded: Settlement;
  /** The lane's next batch, where it was claimed in the same statement. */
  readonly next: GrantedLease | null;
}

/** Records attempts, and retries while Postgres is unavailable. */
export class AttemptRecorder {
  constructor(private readonly parts: RecorderParts) {}

  /**
   * Records an attempt.
   * @param claimNext whether to claim the lane's next batch in the same statement, where this one is complete
   * @throws when the lease was lost, or when every try failed: the batch may be sent again then
   */
  async record(lease: Lease, settlement: Settlement, claimNext: boolean): Promise<RecordedAttempt> {
    if (claimNext && isComplete(settlement)) {
      const next = await this.settleAndClaimNext(lease, settlement);
      this.witness(lease, settlement);
      return { recorded: settlement, next };
    }
    const result = await this.settle(lease, settlement);
    this.witness(lease, settlement);
    return { recorded: result === 'resumed' ? { ...settlement, delayMs: 0 } : settlement, next: null };
  }

  /**
   * Claims the batch behind the one that is sent.
   * @returns null when none was claimed, or the statement failed: it may be claimed then, which the settlement of
   * `current` must allow for (`Lease.behindFrom`)
   */
  async claimBehind(current: Lease): Promise<GrantedLease | null> {
    return this.advance({ recorded: null, current, next: batchBehind(current) }).catch(() => null);
  }

  /**
   * Records an attempt that delivered everything, while the batch behind it is sent.
   * @param current the attempt that is being made
   * @param claims whether to claim the batch behind that one, too
   * @returns the batch behind; null when none was claimed, or it is not known, as for `claimBehind`
   * @throws when the lease was lost, or when every try failed: both batches may be sent again then
   */
  async recordBehind(current: Lease, delivered: EndedAttempt, claims: boolean): Promise<GrantedLease | null> {
    const next = await this.retried(async (tries) => {
      try {
        return await this.advance({ recorded: delivered, current, next: claims ? batchBehind(current) : null });
      } catch (error) {
        // An earlier try may have succeeded, with its response lost.
        if (tries > 0 && error instanceof LeaseLost && (await this.parts.lanes.isHeld(current))) return null;
        throw error;
      }
    });
    this.witness(delivered.lease, delivered.settlement);
    return next;
  }

  private async advance(advance: Advance): Promise<GrantedLease | null> {
    const { lanes, observer } = this.parts;
    const requestedAt = thisMoment();
    const result = await lanes.advance(advance, LEASE_MS);
    if (result.kind === 'unchanged') throw new LeaseLost();
    const { next: lease } = result;
    if (lease === null) return null;
    observer.claimed(lease.targetKind, deliveriesIn(lease));
    return { lease, requestedAt };
  }

  /** Notes the highest number that is on record now. Earlier, the number could still go back to the lane. */
  private witness({ destinationId, epochs }: Lease, { delivered, undelivered }: Settlement): void {
    const sequence = Math.max(0, highest(delivered), highest(undelivered));
    if (sequence > 0) this.parts.witnessLog.note(destinationId, { epoch: epochOf(epochs, sequence).epoch, sequence });
  }

  private async settleAndClaimNext(lease: Lease, settlement: Settlement): Promise<GrantedLease | null> {
    const { lanes, newToken } = this.parts;
    const next = { batchId: newId('bat'), token: newToken() };
    try {
      return await this.advance({ recorded: { lease, settlement }, current: null, next });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
    }
    try {
      await this.settle(lease, settlement);
      return null;
    } catch (error) {
      // The statement may have succeeded and only its response was lost. The lane then has a leased batch without an
      // attempt.
      if (error instanceof LeaseLost) await lanes.giveBack({ ...lease, ...next }).catch(() => undefined);
      throw error;
    }
  }

  private async settle(lease: Lease, settlement: Settlement): Promise<Exclude<SettleResult, 'lost'>> {
    const { lanes, failingLanes, groups } = this.parts;
    const store = settlement.delayMs === null ? lanes : failingLanes;
    return this.retried(async () => {
      const grouped = isForGroup(settlement) ? await groups.settle({ lease, settlement }) : null;
      const result = grouped ?? (await store.settle(lease, settlement));
      if (result !== 'lost') return result;
      // Another attempt took over, or an earlier try did settle and its response was lost. BullMQ runs the job again.
      throw new LeaseLost();
    });
  }

  /** Tries to record an attempt, until it is recorded or the lease is lost. */
  private async retried<T>(record: (tries: number) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await record(tries);
      } catch (error) {
        const wait = SETTLE_RETRIES_MS[tries];
        if (error instanceof LeaseLost || wait === undefined) throw error;
        await sleep(wait);
      }
    }
  }
}

/** The attempt can no longer be recorded. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('the lease of the attempt was lost');
  }
}

/** The batch to claim behind the one of an attempt. Its lease has the same token. */
function batchBehind({ token }: Lease): NextBatchIds {
  return { batchId: newId('bat'), token };
}

function highest(deliveries: readonly { readonly sequence: number }[]): number {
  return deliveries.reduce((most, { sequence }) => Math.max(most, sequence), 0);
}

/** The number of deliveries in a batch. */
function deliveriesIn({ deliveryIds }: Lease): number {
  return deliveryIds.split(',').length;
}

/** Whether the destination is healthy and nothing of the batch is pending. */
function isComplete({ status, delayMs, nextSequence, undelivered }: Settlement): boolean {
  const nothingPending = nextSequence === null && undelivered.every(({ state }) => state !== 'pending');
  return status === 'healthy' && delayMs === null && nothingPending;
}
