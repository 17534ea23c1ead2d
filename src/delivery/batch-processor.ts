import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError } from 'bullmq';
import { newId } from '../ids/id.js';
import type { Logger } from '../logging/logger.js';
import { attempt } from './attempt.js';
import type { BatchDelivery, BatchStore } from './batch-store.js';
import type { AttemptObserver, DeliveryObserver } from './delivery-observer.js';
import type { DestinationConnections } from './destination-connections.js';
import type { Dispatcher } from './dispatcher.js';
import type { FaultStore } from './fault-store.js';
import type { LaneStore, Lease, Settlement } from './lane-store.js';
import { LEASE_MS, LeaseKeeper } from './lease-keeper.js';
import type { Liveness } from './liveness.js';
import type { BatchJob, BatchJobResult } from './queues/job.js';
import { backoffMs } from './retry-policy.js';
import { settlementOf, type RetryPolicy } from './settlement.js';

/** A call that takes longer than this lends the worker another place (see ElasticConcurrency), in milliseconds. */
const SLOW_AFTER_MS = 1_000;

/** Waits between tries to record an attempt, in milliseconds: a record that is lost means a batch that is sent again. */
const SETTLE_RETRIES_MS = [100, 300, 1_000, 2_000, 4_000, 8_000, 15_000];

/** Longest wait after a fault of ours, in milliseconds: it is mended here, so the destination need not be spared for longer. */
const LONGEST_FAULT_BACKOFF_MS = 60_000;

/** Deliveries that are expired in one statement. */
const EXPIRE_STEP = 1_000;

/** What a processor works with. */
export interface BatchProcessorParts {
  readonly lanes: LaneStore;
  readonly batches: BatchStore;
  readonly faults: FaultStore;
  readonly connections: DestinationConnections;
  readonly dispatcher: Dispatcher;
  readonly liveness: Liveness;
  readonly policy: RetryPolicy;
  /** Longest that one call to a target may take, in milliseconds. */
  readonly sendTimeoutMs: number;
  readonly logger: Logger;
  readonly observer: DeliveryObserver;
}

/** What the worker that runs a job lends the processor. */
export interface WorkerPlaces {
  /** Says that an attempt is slow; the function it gives is called when it has ended. */
  slow(): () => void;
}

/** Works on batch jobs: one attempt each time that a job runs. */
export class BatchProcessor {
  readonly #parts: BatchProcessorParts;
  /** The calls under way. A controller for each, for signals made with AbortSignal.any would pile up on a common one. */
  readonly #calls = new Set<AbortController>();

  constructor(parts: BatchProcessorParts) {
    this.#parts = parts;
  }

  /** Ends the calls that are under way; what they did is still recorded. */
  abort(): void {
    for (const call of this.#calls) call.abort();
  }

  /**
   * Makes one attempt at the job's batch, unless it is not this job's to make.
   * @param jobToken proves to the queue store that the job is still this worker's
   * @throws DelayedError when the job has been delayed; anything else is our own fault, and BullMQ runs the job again
   */
  async process(job: BatchJob, jobToken: string | undefined, places: WorkerPlaces): Promise<BatchJobResult> {
    const { lanes, dispatcher, liveness } = this.#parts;
    const { destinationId, batchId } = job.data;
    const askedAt = performance.now();
    const token = newId('att');
    liveness.began(token);
    const grant = await lanes.lease(destinationId, batchId, token, LEASE_MS).catch((error: unknown) => {
      liveness.ended(token);
      throw error;
    });
    if (grant.kind !== 'granted') liveness.ended(token);
    if (grant.kind === 'later') return delay(job, jobToken, grant.delayMs);
    if (grant.kind === 'void') {
      // Settled by another run of this job, which may have died before it claimed the next batch.
      await dispatcher.dispatch(destinationId);
      return { outcome: 'void', delivered: 0 };
    }
    const settlement = await this.#attempt(grant.lease, askedAt, job.name, places);
    const kept = settlement.frees ? [] : settlement.others.filter(({ state }) => state === 'pending');
    if (kept.length > 0) {
      if (kept.length < job.data.events.length) {
        const left = new Set(kept.map(({ sequence }) => sequence));
        await job.updateData({
          ...job.data,
          events: job.data.events.filter(({ sequence }) => left.has(sequence)),
        });
      }
      const { status, error } = settlement;
      // For people who look at the job and ask why it waits; what counts is in the lane.
      const why = { status, code: error?.code ?? '', message: error?.message ?? '' };
      await job.updateProgress(why).catch(() => undefined);
      return delay(job, jobToken, settlement.delayMs ?? 0);
    }
    if (settlement.delayMs === null || settlement.delayMs === 0) await dispatcher.dispatch(destinationId);
    else await this.#expireBehind(grant.lease);
    return { outcome: settlement.outcome, delivered: settlement.delivered.length };
  }

  async #attempt(lease: Lease, askedAt: number, name: string, places: WorkerPlaces): Promise<Settlement> {
    const { lanes, liveness, policy, observer } = this.#parts;
    const watch = observer.attempt(lease);
    const call = new AbortController();
    this.#calls.add(call);
    const keeper = new LeaseKeeper(lanes, lease, askedAt, call);
    try {
      const startedAt = new Date();
      const begun = performance.now();
      const { deliveries, outcomes, loadedAt } = await this.#send(lease, call, places, watch);
      const sent = performance.now();
      const settlement = settlementOf(
        {
          deliveries,
          outcomes,
          startedAt,
          durationMs: Math.round(sent - begun),
          failuresBefore: lease.failures,
        },
        policy,
      );
      const settled = await this.#settle(lease, settlement);
      const recorded = settled === 'resumed' ? { ...settlement, delayMs: 0 } : settlement;
      watch.settled(deliveries, recorded);
      this.#log(lease, name, deliveries, recorded, watch.traceId, {
        load_ms: Math.round(loadedAt - begun),
        send_ms: Math.round(sent - loadedAt),
        settle_ms: Math.round(performance.now() - sent),
      });
      return recorded;
    } finally {
      keeper.stop();
      this.#calls.delete(call);
      liveness.ended(lease.token);
      watch.ended();
    }
  }

  async #send(lease: Lease, call: AbortController, places: WorkerPlaces, watch: AttemptObserver) {
    const { batches, connections, sendTimeoutMs, logger } = this.#parts;
    const [deliveries, opened] = await this.#load(lease, () =>
      Promise.all([batches.load(lease), connections.open(lease)]),
    );
    const loadedAt = performance.now();
    if (opened.kind === 'unusable') {
      logger.warn({ err: opened.error, destination: lease.destinationId }, 'a destination cannot be used');
      const { outcome } = opened;
      return { deliveries, loadedAt, outcomes: deliveries.map(() => outcome) };
    }
    // Known to fail: it does not get a place of those that deliver.
    let giveBack = lease.failures > 0 ? places.slow() : undefined;
    const timer = setTimeout(() => {
      giveBack ??= places.slow();
    }, SLOW_AFTER_MS);
    watch.loaded(deliveries);
    try {
      const { destinationId: destination, batchId: batch } = lease;
      const about = logger.child({ destination, batch, trace_id: watch.traceId });
      const outcomes = await attempt(opened.connection, deliveries, sendTimeoutMs, call, about);
      return { deliveries, loadedAt, outcomes };
    } finally {
      watch.sent();
      clearTimeout(timer);
      giveBack?.();
      opened.release();
    }
  }

  /** What fails here is our fault. It is recorded, unless it is Postgres that fails, and the lane waits before the next run. */
  async #load<T>(lease: Lease, load: () => Promise<T>): Promise<T> {
    const startedAt = new Date();
    const begun = performance.now();
    try {
      return await load();
    } catch (error) {
      const { faults, policy } = this.#parts;
      const schedule = { ...policy.retry, capMs: Math.min(policy.retry.capMs, LONGEST_FAULT_BACKOFF_MS) };
      const delayMs = backoffMs(schedule, lease.failures + 1, 0);
      const durationMs = Math.round(performance.now() - begun);
      await faults.record(lease, { startedAt, durationMs, delayMs }).catch(() => undefined);
      throw error;
    }
  }

  async #settle(lease: Lease, settlement: Settlement): Promise<'settled' | 'resumed'> {
    for (let tries = 0; ; tries += 1) {
      try {
        const settled = await this.#parts.lanes.settle(lease, settlement);
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

  /**
   * The destination has just failed: what is past its deadline behind this batch is not worth a call each.
   */
  async #expireBehind({ destinationId, targetKind }: Lease): Promise<void> {
    const { lanes, policy, observer } = this.#parts;
    let expired: number;
    do {
      expired = await lanes.expireWaiting(destinationId, policy.deadlineMs, EXPIRE_STEP);
      observer.expired(targetKind, expired);
    } while (expired > 0);
  }

  #log(
    lease: Lease,
    name: string,
    deliveries: readonly BatchDelivery[],
    settlement: Settlement,
    traceId: string | undefined,
    durations: Record<string, number>,
  ): void {
    const { delivered, others, error, interruption, outcome } = settlement;
    const count = (state: string): number => others.filter((other) => other.state === state).length;
    // Someone has to act on these; the others mend themselves.
    const level = outcome === 'misconfigured' || outcome === 'rejected' ? 'warn' : 'info';
    this.#parts.logger[level](
      {
        destination: lease.destinationId,
        kind: lease.targetKind,
        batch: lease.batchId,
        events: name,
        attempt: lease.attempt,
        records: deliveries.length,
        // In UTF-16 units, which is bytes for what is mostly ASCII; counting bytes would read every payload again.
        bytes: deliveries.reduce((sum, { event }) => sum + event.json.length, 0),
        delivered: delivered.length,
        retried: others.filter(({ state, code }) => state === 'pending' && code !== null).length,
        postponed: deliveries.length - delivered.length - others.filter(({ code }) => code !== null).length,
        rejected: count('rejected'),
        expired: count('expired'),
        outcome,
        code: (error ?? interruption)?.code,
        http_status: error?.httpStatus,
        backoff_ms: settlement.delayMs ?? undefined,
        trace_id: traceId,
        ...durations,
      },
      'batch attempt',
    );
  }
}

/** The attempt cannot be recorded any more. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('the lease of the attempt was lost');
  }
}

async function delay(job: BatchJob, jobToken: string | undefined, ms: number): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, jobToken);
  throw new DelayedError();
}
