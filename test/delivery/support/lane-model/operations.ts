import { assert } from 'vitest';
import { isForGroup } from '../../../../src/delivery/attempts/lane-groups.js';
import { settlementOf } from '../../../../src/delivery/attempts/settlement.js';
import { newAttemptToken } from '../../../../src/delivery/lanes/attempt-token.js';
import type { PrefetchedDeliveries } from '../../../../src/delivery/lanes/batch-store.js';
import type { Lease, NextBatchIds, Settlement } from '../../../../src/delivery/lanes/lane.js';
import { newId } from '../../../../src/ids/id.js';
import { deliveriesOf } from '../seed.js';
import { sendCalls, type CallFate, type SentAttempt } from './call-fates.js';
import type { Attempt, FollowUp, Ledger, ModelLane } from './ledger.js';
import { DEADLINE_MS, type LaneWorld, type Services } from './world.js';

const LEASE_MS = 3_600_000;
const WAIT_MS = 600_000;
const schedule = { baseMs: WAIT_MS, capMs: WAIT_MS };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: DEADLINE_MS };

/** What workers do with the lanes: the steps of `BatchProcessor`, one operation each, and what follows them. */
export class Operations {
  constructor(
    private readonly world: LaneWorld,
    private readonly ledger: Ledger,
  ) {}

  /** Does one of the things that processes still do for a lane. */
  async followUp(lane: ModelLane, index: number, holds: number): Promise<void> {
    const [next] = lane.followUps.splice(index % lane.followUps.length, 1);
    if (next)
      await this.world.start(`${next} ${this.name(lane)}`, holds, (services) => this.perform(services, lane, next));
  }

  private async perform({ dispatcher }: Services, lane: ModelLane, what: FollowUp): Promise<void> {
    if (what === 'dispatch') await dispatcher.dispatch(lane.id);
    else dispatcher.notify([lane.id]);
    await dispatcher.idle();
  }

  /**
   * The jobs of batches of different lanes request their leases in one statement, and load the batches. What the group
   * leaves is requested alone.
   */
  async leaseTogether(requested: readonly (readonly [ModelLane, string])[], holds: number): Promise<void> {
    const label = `lease together ${requested.map(([lane, batchId]) => `${batchId} of ${this.name(lane)}`).join(', ')}`;
    await this.world.start(label, holds, async (services) => {
      const requests = requested.map(([lane, batchId]) => ({
        destinationId: lane.id,
        batchId,
        token: newAttemptToken(lane.presenceId),
        failingWaitMs: null,
      }));
      const guards = requested.map(([lane]) => lane.pauseGuard());
      const loaded = await services.lanes.leaseGroup(requests, LEASE_MS);
      const results: string[] = [];
      for (const [index, [lane, batchId]] of requested.entries()) {
        const own = loaded[index]?.kind === 'granted' ? loaded[index] : null;
        if (own) guards[index]?.('a lease is granted in a group');
        if (own) await this.granted(services, lane, own.lease, own.deliveries);
        results.push(own ? 'granted' : await this.leaseAlone(services, lane, batchId, null));
      }
      return results.join(', ');
    });
  }

  /** A job of a batch requests its lease, and loads the batch. */
  async lease(lane: ModelLane, batchId: string, failingWait: boolean, holds: number): Promise<void> {
    const waitMs = failingWait ? WAIT_MS : null;
    const label = `lease ${batchId} of ${this.name(lane)}`;
    await this.world.start(label, holds, (services) => this.leaseAlone(services, lane, batchId, waitMs));
  }

  /** The job of a batch that is not in the lane claims the next one. */
  private async leaseAlone(
    services: Services,
    lane: ModelLane,
    batchId: string,
    waitMs: number | null,
  ): Promise<string> {
    const guard = lane.pauseGuard();
    const grant = await services.lanes.lease(lane.id, batchId, newAttemptToken(lane.presenceId), LEASE_MS, waitMs);
    lane.knows(batchId);
    if (grant.kind === 'granted') {
      guard('a lease is granted');
      await this.granted(services, lane, grant.lease, grant.deliveries);
    }
    if (grant.kind === 'void') {
      this.ledger.queues.jobs.delete(batchId);
      await services.dispatcher.dispatch(lane.id);
    }
    return grant.kind;
  }

  private async granted(
    { batches }: Services,
    lane: ModelLane,
    lease: Lease,
    read: PrefetchedDeliveries | null = null,
  ): Promise<void> {
    const others = lane.attempts.filter(({ isLive }) => isLive).map((attempt) => attempt.lease.token);
    assert.deepEqual(others, [], 'one attempt at a time may send');
    lane.granted(lease, await batches.load(lease, read ?? undefined));
  }

  /** Makes the calls of a live attempt. */
  send(attempt: Attempt, fates: readonly CallFate[]): void {
    attempt.sent = sendCalls(attempt.deliveries, fates);
    for (const [index, delivery] of attempt.deliveries.entries()) {
      const outcome = attempt.sent.outcomes[index];
      if (outcome?.kind === 'rejected' && outcome.basis === 'record') attempt.lane.consumer.refuse(delivery);
    }
    for (const delivery of attempt.sent.arrived) attempt.lane.consumer.receive(delivery);
    this.ledger.note(`${attempt.lease.batchId} sent: ${attempt.sent.outcomes.map(({ kind }) => kind).join(' ')}`);
  }

  /**
   * Records an attempt, also one that lost its lease or is recorded already: then nothing must be written.
   * @param fates of its calls, when it has not sent them
   * @param continues whether the job claims the next batch in the same statement, where this one is complete
   */
  async settle(attempt: Attempt, fates: readonly CallFate[], continues: boolean, holds: number): Promise<void> {
    const { lane, lease } = attempt;
    if (attempt.isLive && !attempt.sent) this.send(attempt, fates);
    const settlement = this.settlementOf(attempt);
    const label = `settle ${lease.batchId} of ${this.name(lane)}${continues ? ' and claim' : ''}`;
    await this.write(attempt, label, holds, async (services) => {
      if (attempt.unrecorded && !(await recordUnrecorded(services, attempt, null))) return 'lost';
      const held = attempt.behind ? { ...lease, behindFrom: endOf(attempt) } : lease;
      if (
        !continues &&
        isForGroup(settlement) &&
        (await this.settledInGroup(services, { ...attempt, lease: held }, settlement))
      )
        return 'settled in a group';
      if (!continues || !isComplete(settlement)) {
        const settled = await services.lanes.settle(held, settlement);
        if (settled !== 'lost') this.follow(attempt, settlement, settled === 'resumed' ? 0 : settlement.delayMs);
        return settled;
      }
      const next = { batchId: newId('bat'), token: newAttemptToken(lane.presenceId) };
      const guard = lane.pauseGuard();
      const recorded = { lease: held, settlement };
      const result = await services.lanes.advance({ recorded, current: null, next }, LEASE_MS);
      if (result.kind === 'unchanged') return 'lost';
      if (!result.next) {
        this.follow(attempt, settlement, null);
        return 'freed';
      }
      guard('a batch is claimed by a settlement');
      await this.granted(services, lane, result.next);
      return 'leased';
    });
  }

  /** What an attempt is recorded with. A worker whose lease has ended has made no call. */
  private settlementOf(attempt: Attempt): Settlement {
    attempt.sent ??= sendCalls(attempt.deliveries, [{ kind: 'unsent', bits: 0 }]);
    return attemptSettlement(attempt, attempt.sent);
  }

  /**
   * The job of an attempt claims behind its batch, while it may be sending it. The attempt before it is recorded in the
   * same statement.
   * @param claims whether more is claimed
   * @param losesResponse whether the response is lost: a job that records tries again, any other one proceeds
   */
  async advance(attempt: Attempt, claims: boolean, losesResponse: boolean, holds: number): Promise<void> {
    const { lane, lease, unrecorded } = attempt;
    const label = `${unrecorded ? `record ${unrecorded.lease.batchId} and ` : ''}claim behind ${lease.batchId} of ${this.name(lane)}`;
    const mustFail = attempt.isOver || lane.isSuperseded(attempt);
    attempt.isBusy = true;
    await this.world.start(label, holds, async (services) => {
      const next = claims ? { batchId: newId('bat'), token: lease.token } : null;
      const guard = lane.pauseGuard();
      const before = attempt.behind?.next ?? null;
      const isRecorded = unrecorded === null || (await recordUnrecorded(services, attempt, next));
      if (unrecorded === null) {
        const result = await services.lanes.advance({ recorded: null, current: lease, next }, LEASE_MS);
        attempt.behind = { next: result.kind === 'advanced' ? result.next : null };
      } else if (isRecorded && losesResponse) {
        attempt.unrecorded = unrecorded;
        assert.strictEqual(await recordUnrecorded(services, attempt, next), false, 'an attempt is recorded once');
        assert.strictEqual(await services.lanes.isHeld(lease), !lane.isSuperseded(attempt), 'the lease is still held');
        attempt.unrecorded = null;
      }
      if (attempt.behind?.next && attempt.behind.next !== before) guard('a batch is claimed behind another');
      if (losesResponse) attempt.behind = { next: null };
      if (mustFail && (unrecorded || attempt.behind?.next)) assert.strictEqual(isRecorded, unrecorded === null);
      if (mustFail) assert.strictEqual(attempt.behind?.next ?? null, null, 'a late claim is fenced');
      if (!isRecorded) this.lost(attempt);
      attempt.isBusy = false;
      return isRecorded ? `next ${attempt.behind?.next?.batchId ?? 'none'}` : 'lost';
    });
  }

  /** The attempt is over, since its lease was lost, and so is the one before it. */
  private lost(attempt: Attempt): void {
    attempt.isLive = false;
    attempt.isOver = true;
    if (attempt.unrecorded) attempt.unrecorded.isOver = true;
    if (!this.ledger.queues.jobs.has(attempt.lease.batchId)) attempt.lane.needsSweeper = true;
  }

  /** The job begins to send the batch behind one that it has delivered, before that one is recorded. */
  async sendBehind(attempt: Attempt): Promise<void> {
    const { lane, behind } = attempt;
    const lease = behind?.next;
    if (!lease) throw new Error('nothing is claimed behind the attempt');
    attempt.isLive = false;
    await this.world.start(`begin ${lease.batchId} of ${this.name(lane)}`, 0, async (services) => {
      await this.granted(services, lane, lease);
      const successor = lane.attempts.at(-1) ?? null;
      attempt.successor = successor;
      if (successor) successor.unrecorded = attempt;
    });
  }

  private async settledInGroup({ lanes }: Services, attempt: Attempt, settlement: Settlement): Promise<boolean> {
    const [result = null] = await lanes.settleGroup([{ lease: attempt.lease, settlement }]);
    if (result !== null) this.follow(attempt, settlement, null);
    return result !== null;
  }

  /** What the job does after the last attempt (`BatchProcessor.finish`). */
  private follow({ lane, lease, deliveries }: Attempt, settlement: Settlement, delayMs: number | null): void {
    const { jobs } = this.ledger.queues;
    const { destinationId, batchId } = lease;
    const isKept = !settlement.freesLane && settlement.undelivered.some(({ state }) => state === 'pending');
    if (isKept) {
      const events = deliveries.map(({ event }) => ({ id: event.id, type: event.type, sequence: event.sequence }));
      jobs.set(batchId, { destinationId, batchId, events });
      return;
    }
    jobs.delete(batchId);
    if (delayMs === null || delayMs === 0) lane.followUps.push('dispatch');
    // After the backoff the sweeper finds what waits.
    else lane.needsSweeper = true;
  }

  /** Gives back the lease of an attempt that sent nothing. */
  async release(attempt: Attempt, how: 'give back' | 'back off' | 'internal error', holds: number): Promise<void> {
    const { lease, lane } = attempt;
    // The job of an earlier batch claimed this one.
    if (!this.ledger.queues.jobs.has(lease.batchId)) lane.needsSweeper = true;
    await this.write(attempt, `${how} ${lease.batchId} of ${this.name(lane)}`, holds, async (services) => {
      if (how === 'give back') await services.lanes.giveBack(lease);
      else if (how === 'back off') await services.lanes.backOff(lease, WAIT_MS);
      else await services.internalErrors.record(lease, { startedAt: new Date(), durationMs: 1, delayMs: WAIT_MS });
    });
  }

  async renew(attempt: Attempt, holds: number): Promise<void> {
    const { lease, lane } = attempt;
    const later = lane.attempts.at(-1);
    // Batches that were claimed ahead of each other share a lease.
    const isContinued = later?.lease.token === lease.token && !later.isOver;
    const mustFail = !isContinued && (attempt.isOver || lane.isSuperseded(attempt));
    await this.world.start(`renew ${lease.batchId} of ${this.name(lane)}`, holds, async ({ lanes }) => {
      const isHeld = await lanes.renew(lease, LEASE_MS);
      if (mustFail) assert.strictEqual(isHeld, false, 'a lost lease is not renewed');
      if (!isHeld) attempt.isLive = false;
      return String(isHeld);
    });
  }

  /** Ends an attempt by a write. One that must not write any more changes nothing. */
  private async write(
    attempt: Attempt,
    label: string,
    holds: number,
    work: (services: Services) => Promise<string | void>,
  ): Promise<void> {
    const { lane } = attempt;
    const mustFail = attempt.isOver || lane.isSuperseded(attempt);
    attempt.isLive = false;
    const before = mustFail && holds === 0 && this.ledger.operations === 0 ? await this.contents(lane) : null;
    const started = this.ledger.started + 1;
    attempt.isBusy = true;
    await this.world.start(label, holds, async (services) => {
      const result = await work(services);
      attempt.isBusy = false;
      if (result === 'lost' && attempt.unrecorded) attempt.unrecorded.isOver = true;
      if (mustFail && result !== undefined) assert.strictEqual(result, 'lost', 'a late write is fenced');
      const isAlone = this.ledger.started === started;
      if (before && isAlone) assert.deepEqual(await this.contents(lane), before, 'a late write changes nothing');
      attempt.isOver = true;
      // The job of an earlier batch claimed this one: it fails, and finds another batch when it runs again.
      if (result === 'lost' && !this.ledger.queues.jobs.has(attempt.lease.batchId)) lane.needsSweeper = true;
      return result;
    });
  }

  private async contents(lane: ModelLane): Promise<unknown> {
    const row = await this.world.db
      .selectFrom('delivery_lanes')
      .selectAll()
      .where('destination_id', '=', lane.id)
      .executeTakeFirstOrThrow();
    return { row, deliveries: await deliveriesOf(this.world, lane.id) };
  }

  /** Returns a short name of a lane, for the report. */
  name(lane: ModelLane): string {
    return `lane ${this.ledger.lanes.indexOf(lane) + 1}`;
  }
}

/** What an attempt that was sent is recorded with. */
function attemptSettlement({ lease, deliveries }: Attempt, { outcomes }: SentAttempt): Settlement {
  const result = { deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: lease.failures };
  return settlementOf(result, policy, undefined, () => 0.9);
}

/** Number behind the last one that the batch of a first attempt may have. */
function endOf({ lease, deliveries }: Attempt): number {
  return lease.firstSequence + deliveries.filter(({ numbered }) => !numbered).length;
}

/**
 * Records the attempt before this one, in the statement that claims behind this one.
 * @param next null: claims none
 * @returns whether the lease was held
 */
async function recordUnrecorded({ lanes }: Services, attempt: Attempt, next: NextBatchIds | null): Promise<boolean> {
  const { lease: current, unrecorded } = attempt;
  if (!unrecorded?.sent) throw new Error('there is no attempt to record');
  const recorded = { lease: unrecorded.lease, settlement: attemptSettlement(unrecorded, unrecorded.sent) };
  const result = await lanes.advance({ recorded, current, next }, LEASE_MS);
  if (result.kind === 'unchanged') return false;
  attempt.behind = { next: result.next };
  unrecorded.isOver = true;
  attempt.unrecorded = null;
  return true;
}

/** Whether an attempt delivered its whole batch, so that it may be recorded while the next one is sent. */
export function isAllDelivered({ sent }: Attempt): boolean {
  return sent !== null && sent.outcomes.length > 0 && sent.outcomes.every(({ kind }) => kind === 'delivered');
}

/** Whether the destination is healthy and nothing of the batch is pending, as `AttemptRecorder` asks. */
function isComplete({ status, delayMs, nextSequence, undelivered }: Settlement): boolean {
  return (
    status === 'healthy' &&
    delayMs === null &&
    nextSequence === null &&
    undelivered.every(({ state }) => state !== 'pending')
  );
}
