import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../ids/id.js';
import type { DeliveryObserver } from '../delivery-observer.js';
import type { GrantedLease, Lease, Settlement } from '../lanes/lane.js';
import type { LaneStore } from '../lanes/lane-store.js';
import { LEASE_MS } from './lease-keeper.js';

/** Waits between tries to record an attempt, in milliseconds: a record that is lost means a batch that is sent again. */
const SETTLE_RETRIES_MS = [100, 300, 1_000, 2_000, 4_000, 8_000, 15_000];

/** What a recorder works with. */
export interface RecorderParts {
  readonly lanes: LaneStore;
  readonly observer: DeliveryObserver;
}

/** An attempt that is on record. */
export interface RecordedAttempt {
  /** As it was recorded: without a wait where the lane was resumed meanwhile. */
  readonly recorded: Settlement;
  /** The lane's next batch, where it was taken with it. */
  readonly next: GrantedLease | null;
}

/** Records attempts, however long that takes a Postgres that is away for a while. */
export class AttemptRecorder {
  constructor(private readonly parts: RecorderParts) {}

  /**
   * Records an attempt; where `takeNext` says so and nothing is left of the batch, takes the lane's next one with it.
   * @throws when the lease was lost, or when Postgres answers none of the tries: the batch may be sent again then
   */
  async record(lease: Lease, settlement: Settlement, takeNext: boolean): Promise<RecordedAttempt> {
    if (takeNext && isOver(settlement))
      return { recorded: settlement, next: await this.settleAndClaimNext(lease, settlement) };
    const settled = await this.settle(lease, settlement);
    return { recorded: settled === 'resumed' ? { ...settlement, delayMs: 0 } : settlement, next: null };
  }

  private async settleAndClaimNext(lease: Lease, settlement: Settlement): Promise<GrantedLease | null> {
    const { lanes, observer } = this.parts;
    const next = { batchId: newId('bat'), token: newId('att') };
    const requestedAt = performance.now();
    try {
      const went = await lanes.settleAndClaimNext(lease, settlement, next, LEASE_MS);
      if (went.kind === 'lost') throw new LeaseLost();
      if (went.kind === 'freed') return null;
      observer.claimed(lease.targetKind, went.lease.deliveryIds.split(',').length);
      return { lease: went.lease, requestedAt };
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
    }
    try {
      await this.settle(lease, settlement);
      return null;
    } catch (error) {
      // Perhaps all was written and only the answer was lost: then the lane has a batch that nobody is trying.
      if (error instanceof LeaseLost) await lanes.giveBack({ ...lease, ...next }).catch(() => undefined);
      throw error;
    }
  }

  private async settle(lease: Lease, settlement: Settlement): Promise<'settled' | 'resumed'> {
    for (let tries = 0; ; tries += 1) {
      try {
        const settled = await this.parts.lanes.settle(lease, settlement);
        if (settled !== 'lost') return settled;
        // Another attempt took over; or the first try did settle and only its answer was lost. The next run of the job sees.
        throw new LeaseLost();
      } catch (error) {
        const wait = SETTLE_RETRIES_MS[tries];
        if (error instanceof LeaseLost || wait === undefined) throw error;
        await sleep(wait);
      }
    }
  }
}

/** The attempt cannot be recorded any more. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('the lease of the attempt was lost');
  }
}

/** Whether the destination works and nothing of the batch is to be tried again. */
function isOver({ status, delayMs, nextSequence, others }: Settlement): boolean {
  const whole = nextSequence === null && others.every(({ state }) => state !== 'pending');
  return status === 'healthy' && delayMs === null && whole;
}
