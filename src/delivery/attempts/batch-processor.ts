import { newId } from '../../ids/id.js';
import {
  BatchAttempts,
  type AttemptParts,
  type SettledAttempt,
  type LeasedBatch,
  type Run,
} from './batch-attempts.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import { expireAllWaiting } from '../dispatch/expire-waiting.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import { LEASE_MS } from './lease-keeper.js';
import type { BatchJob, BatchJobResult } from '../queues/job.js';
import { eventsOf, ActiveJob } from './active-job.js';
import type { ConcurrencySlots } from './concurrency/concurrency-slots.js';

/** How long a job goes on with batches behind its own, in milliseconds; then the next one gets a job of its own. */
const LONGEST_RUN_MS = 5_000;

/** What a processor works with. */
export interface BatchProcessorParts extends AttemptParts {
  readonly dispatcher: Dispatcher;
}

/** Works on batch jobs: one attempt at the job's batch, and then, while the lane has much waiting, at the batches behind it. */
export class BatchProcessor {
  private readonly attempts: BatchAttempts;
  private ending = false;

  constructor(private readonly parts: BatchProcessorParts) {
    this.attempts = new BatchAttempts(parts);
  }

  /** From now on every run ends with the batch that it is at. */
  end(): void {
    this.ending = true;
  }

  /** Ends the calls that are under way; what they did is still recorded. */
  abort(): void {
    this.ending = true;
    this.attempts.abort();
  }

  /**
   * Makes one attempt at the job's batch, unless it is not this job's to make, and goes on with what waits behind it.
   * @param jobToken proves to the queue store that the job is still this worker's
   * @throws DelayedError when the job has been delayed; anything else is our own fault, and BullMQ runs the job again
   */
  async process(
    job: BatchJob,
    jobToken: string | undefined,
    places: ConcurrencySlots,
  ): Promise<BatchJobResult> {
    const leave = places.enter();
    try {
      return await this.run(new ActiveJob(job, jobToken), places);
    } finally {
      leave();
    }
  }

  private async run(job: ActiveJob, places: ConcurrencySlots): Promise<BatchJobResult> {
    const { lanes, dispatcher, liveness } = this.parts;
    const { destinationId, batchId } = job.batch;
    const requestedAt = performance.now();
    const token = newId('att');
    liveness.attemptStarted(token);
    const grant = await lanes.lease(destinationId, batchId, token, LEASE_MS).catch((error: unknown) => {
      liveness.finished(token);
      throw error;
    });
    if (grant.kind !== 'granted') liveness.finished(token);
    if (grant.kind === 'later') return job.delay(grant.delayMs);
    if (grant.kind === 'void') {
      // Settled by another run of this job, which may have died before it claimed the next batch.
      await dispatcher.dispatch(destinationId);
      return { outcome: 'void', delivered: 0 };
    }
    const run: Run = {
      job,
      places,
      goesOn: () => !this.ending && places.free && performance.now() - requestedAt < LONGEST_RUN_MS,
    };
    let held: LeasedBatch = { lease: grant.lease, requestedAt, ahead: null };
    let delivered = 0;
    for (;;) {
      const ended: SettledAttempt = await this.attempts.make(held, run);
      delivered += ended.settlement.delivered.length;
      if (!ended.next) {
        await this.finish(job, held.lease, ended);
        return { outcome: ended.settlement.outcome, delivered };
      }
      liveness.attemptStarted(ended.next.lease.token);
      held = ended.next;
    }
  }

  /**
   * Sees to what the last attempt of a run has left.
   * @throws DelayedError when that is the job's to try again
   */
  private async finish(
    job: ActiveJob,
    lease: Lease,
    { deliveries, settlement }: SettledAttempt,
  ): Promise<void> {
    const { dispatcher } = this.parts;
    const { destinationId, batchId, targetKind } = lease;
    const events = keptInBatch(deliveries, settlement);
    if (events.length > 0) {
      // A batch is found by the id of its job. One that another batch's job has taken gets its own, and the other job ends.
      if (job.isOf(batchId)) await job.waitWith(lease, events, settlement);
      else await dispatcher.addJob({ destinationId, batchId, targetKind, events }, settlement.delayMs ?? 0);
    } else if (settlement.delayMs === null || settlement.delayMs === 0) {
      await dispatcher.dispatch(destinationId);
    } else {
      await this.expireBehind(lease);
    }
  }

  /** The destination has just failed: what is past its deadline behind this batch is not worth a call each. */
  private expireBehind({ destinationId, targetKind }: Lease): Promise<void> {
    const { lanes, dispatcher, policy, observer } = this.parts;
    const parts = { lanes, dispatcher, deadlineMs: policy.deadlineMs };
    return expireAllWaiting(parts, destinationId, (count) => observer.expired(targetKind, count));
  }
}

/** What the lane keeps of a batch to be tried again, as a job shows it. */
function keptInBatch(deliveries: readonly BatchDelivery[], { frees, others }: Settlement) {
  const kept = new Set(frees ? [] : others.filter(({ state }) => state === 'pending').map(({ id }) => id));
  return eventsOf(deliveries.filter(({ id }) => kept.has(id)));
}
