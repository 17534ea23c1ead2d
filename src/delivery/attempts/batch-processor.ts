import { elapsedSince, thisMoment } from '../../timing/moment.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import { MAX_BATCH_BYTES } from '../lanes/batch-limits.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import type { Grant } from '../lanes/lease.js';
import type { BatchJob, BatchJobResult } from '../queues/job.js';
import { ActiveJob, eventsOf } from './active-job.js';
import {
  BatchAttempts,
  type AttemptContext,
  type AttemptParts,
  type LeasedBatch,
  type SettledAttempt,
} from './batch-attempts.js';
import type { AdaptiveConcurrency } from './concurrency/adaptive-concurrency.js';
import { LEASE_MS } from './lease-keeper.js';

/**
 * How long a job continues with the batches behind its own, in milliseconds; the next batch then gets a job of its own.
 */
const MAX_JOB_MS = 5_000;

/**
 * Bytes that a batch of a failing destination is expected to hold, before it is loaded: most events are smaller.
 */
const EXPECTED_EVENT_BYTES = 8 * 1024;

/** What a processor works with. */
export interface BatchProcessorParts extends AttemptParts {
  readonly dispatcher: Dispatcher;
}

/**
 * Processes batch jobs: attempts the job's batch, and the batches behind it while many deliveries wait in the lane.
 */
export class BatchProcessor {
  private readonly attempts: BatchAttempts;
  private stopping = false;

  constructor(private readonly parts: BatchProcessorParts) {
    this.attempts = new BatchAttempts(parts);
  }

  /** Makes every job end with the batch that it is processing. */
  stop(): void {
    this.stopping = true;
  }

  /** Aborts the calls under way; their outcomes are still recorded. */
  abortCalls(): void {
    this.attempts.abort();
  }

  /** Stops, and aborts the calls under way. */
  abort(): void {
    this.stop();
    this.abortCalls();
  }

  /**
   * Attempts the job's batch, if its lease is granted, and continues with the batches behind it.
   * @param jobToken the token of the job's lock
   * @throws DelayedError when the job was delayed; after any other error, an internal one, BullMQ runs the job again,
   * and the sweeper adds a job for a batch that the job has continued with
   */
  async process(job: BatchJob, jobToken: string | undefined, slots: AdaptiveConcurrency): Promise<BatchJobResult> {
    const release = slots.occupy();
    const active = new ActiveJob(job, jobToken);
    try {
      return await this.processBatches(active, slots);
    } finally {
      release();
    }
  }

  private async processBatches(job: ActiveJob, slots: AdaptiveConcurrency): Promise<BatchJobResult> {
    const { dispatcher, liveness } = this.parts;
    const requestedAt = thisMoment();
    const token = this.parts.newToken();
    liveness.attemptStarted(token);
    const waitMs = slots.failingWaitMs();
    const grant = await this.lease(job, token, slots.admitsFailing ? null : waitMs).catch((error: unknown) => {
      liveness.finished(token);
      throw error;
    });
    if (grant.kind !== 'granted') liveness.finished(token);
    if (grant.kind === 'backed_off') {
      slots.failingRefused(waitMs);
      return job.delay(waitMs);
    }
    if (grant.kind === 'later') return job.delay(grant.delayMs);
    if (grant.kind === 'void') {
      // This job settled the batch in an earlier execution, which may have died before it claimed the next one.
      dispatcher.notify([job.batch.destinationId]);
      return { outcome: 'void', delivered: 0 };
    }
    const { lease, deliveries } = grant;
    const leased = { lease, requestedAt, prefetch: deliveries && Promise.resolve(deliveries) };
    if (lease.failures === 0) return this.attemptBatches(job, slots, leased);
    const release = slots.admitFailing(expectedBytes(lease));
    if (!release) {
      liveness.finished(token);
      slots.failingRefused(waitMs);
      return this.backOff(job, lease, waitMs);
    }
    try {
      return await this.attemptBatches(job, slots, leased);
    } finally {
      release();
    }
  }

  /**
   * Requests the lease together with the jobs of other lanes, or alone where the group leaves it.
   * @param failingWaitMs null, or the backoff that a failing lane gets instead, in milliseconds
   */
  private async lease(job: ActiveJob, token: string, failingWaitMs: number | null): Promise<Grant> {
    const { lanes, groups } = this.parts;
    const { destinationId, batchId } = job.batch;
    const leased = await groups.lease({ destinationId, batchId, token, failingWaitMs });
    return leased ?? lanes.lease(destinationId, batchId, token, LEASE_MS, failingWaitMs);
  }

  /**
   * Gives back the lease of a failing destination, because too many failing destinations are being called. Its lane
   * backs off, and the attempt does not count.
   * @throws DelayedError always
   */
  private async backOff(job: ActiveJob, lease: Lease, delayMs: number): Promise<never> {
    const backsOff = await this.parts.failingLanes.backOff(lease, delayMs);
    return job.delay(backsOff ? delayMs : 0);
  }

  /** Attempts a leased batch, and continues with the batches behind it. */
  private async attemptBatches(
    job: ActiveJob,
    slots: AdaptiveConcurrency,
    first: LeasedBatch,
  ): Promise<BatchJobResult> {
    const { liveness } = this.parts;
    const context: AttemptContext = {
      slots,
      mayContinue: () => !this.stopping && slots.hasFree && elapsedSince(first.requestedAt) < MAX_JOB_MS,
    };
    let batch = first;
    let delivered = 0;
    for (;;) {
      const attempt: SettledAttempt = await this.attempts.make(batch, context);
      delivered += attempt.settlement.delivered.length;
      if (!attempt.next) {
        await this.finish(job, batch.lease, attempt);
        return { outcome: attempt.settlement.outcome, delivered };
      }
      liveness.attemptStarted(attempt.next.lease.token);
      batch = attempt.next;
    }
  }

  /**
   * Schedules what follows the last attempt of a job: its retry, or the next batch. Where the lane backs off and
   * has no batch, it schedules nothing: the sweeper dispatches the lane after the backoff.
   * @throws DelayedError when the job itself is to retry the batch
   */
  private async finish(job: ActiveJob, lease: Lease, { deliveries, settlement }: SettledAttempt): Promise<void> {
    const { dispatcher } = this.parts;
    const { destinationId, batchId, targetKind } = lease;
    const events = keptInBatch(deliveries, settlement);
    if (events.length > 0) {
      // A resume finds a job by the batch's id. A batch that another batch's job has claimed gets a job of its own. One
      // that a dead worker had keeps this job: its own job is locked, and cannot be added again.
      if (job.isOf(batchId)) await job.retryLater(lease, events, settlement);
      else {
        const { failures, delayMs } = settlement;
        await dispatcher.addJob({ destinationId, batchId, targetKind, events, failures }, delayMs ?? 0);
      }
    } else if (settlement.delayMs === null || settlement.delayMs === 0) {
      // A new statement, whose snapshot shows what was committed while the lane was busy. The job does not wait for it.
      dispatcher.notify([destinationId]);
    }
  }
}

function expectedBytes({ deliveryIds }: Lease): number {
  return Math.min(deliveryIds.split(',').length * EXPECTED_EVENT_BYTES, MAX_BATCH_BYTES);
}

/** The events of a batch that stay in it for another attempt. */
function keptInBatch(deliveries: readonly BatchDelivery[], { freesLane, undelivered }: Settlement) {
  const pending = freesLane ? [] : undelivered.filter(({ state }) => state === 'pending');
  const kept = new Set(pending.map(({ id }) => id));
  return eventsOf(deliveries.filter(({ id }) => kept.has(id)));
}
