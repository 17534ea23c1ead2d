import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError } from 'bullmq';
import { newId } from '../ids/id.js';
import type { Logger } from '../logging/logger.js';
import { attempt } from './attempt.js';
import type { BatchDelivery, BatchStore, ReadAhead } from './batch-store.js';
import type { AttemptObserver, DeliveryObserver } from './delivery-observer.js';
import type { DestinationConnections } from './destination-connections.js';
import type { Dispatcher } from './dispatcher.js';
import { expireAllWaiting } from './expire-waiting.js';
import type { FaultStore } from './fault-store.js';
import type { Lease, Settlement } from './lane.js';
import { MAX_BATCH_BYTES } from './batch-limits.js';
import type { LaneStore } from './lane-store.js';
import { LEASE_MS, LeaseKeeper } from './lease-keeper.js';
import type { Liveness } from './liveness.js';
import { jobName, type BatchJob, type BatchJobResult, type JobEvent } from './queues/job.js';
import { backoffMs } from './retry-policy.js';
import { settlementOf, type RetryPolicy } from './settlement.js';

/** A call that takes longer than this lends the worker another place (see ElasticConcurrency), in milliseconds. */
const SLOW_AFTER_MS = 1_000;

/** Waits between tries to record an attempt, in milliseconds: a record that is lost means a batch that is sent again. */
const SETTLE_RETRIES_MS = [100, 300, 1_000, 2_000, 4_000, 8_000, 15_000];

/** Longest wait after a fault of ours, in milliseconds: it is mended here, so the destination need not be spared for longer. */
const LONGEST_FAULT_BACKOFF_MS = 60_000;

/** A batch of so many records is taken for a sign that more wait. */
const LARGE_BATCH = 100;

/** How long a job goes on with batches behind its own, in milliseconds; then the next one gets a job of its own. */
const LONGEST_RUN_MS = 5_000;

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
  /** Whether the worker would take another job at once. */
  readonly free: boolean;
  /** Says that a job takes a place; the function it gives is called when the job has ended. */
  enter(): () => void;
  /** Says that an attempt is slow, whose batch holds so many bytes; the function it gives is called when it has ended. */
  slow(bytes: number): () => void;
}

/** A batch that this run may attempt. */
interface HeldBatch {
  readonly lease: Lease;
  /** When the lease was asked for, as `performance.now()` says. */
  readonly askedAt: number;
  /** What is read of it since before it was claimed. Never fails: undefined where nothing could be read. */
  readonly ahead?: Promise<ReadAhead | undefined> | null;
}

/** An attempt that is recorded. */
interface EndedAttempt {
  readonly deliveries: readonly BatchDelivery[];
  readonly settlement: Settlement;
  /** The batch that was taken when this one was recorded. */
  readonly next: HeldBatch | null;
}

/** Works on batch jobs: one attempt at the job's batch, and then, while the lane has much waiting, at the batches behind it. */
export class BatchProcessor {
  readonly #parts: BatchProcessorParts;
  /** The calls under way. A controller for each, for signals made with AbortSignal.any would pile up on a common one. */
  readonly #calls = new Set<AbortController>();
  #ending = false;

  constructor(parts: BatchProcessorParts) {
    this.#parts = parts;
  }

  /** From now on every run ends with the batch that it is at. */
  end(): void {
    this.#ending = true;
  }

  /** Ends the calls that are under way; what they did is still recorded. */
  abort(): void {
    this.#ending = true;
    for (const call of this.#calls) call.abort();
  }

  /**
   * Makes one attempt at the job's batch, unless it is not this job's to make, and goes on with what waits behind it.
   * @param jobToken proves to the queue store that the job is still this worker's
   * @throws DelayedError when the job has been delayed; anything else is our own fault, and BullMQ runs the job again
   */
  async process(job: BatchJob, jobToken: string | undefined, places: WorkerPlaces): Promise<BatchJobResult> {
    const leave = places.enter();
    try {
      return await this.#run(job, jobToken, places);
    } finally {
      leave();
    }
  }

  async #run(job: BatchJob, jobToken: string | undefined, places: WorkerPlaces): Promise<BatchJobResult> {
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
    const goesOn = (): boolean =>
      !this.#ending && places.free && performance.now() - askedAt < LONGEST_RUN_MS;
    let held: HeldBatch | null = { lease: grant.lease, askedAt };
    let delivered = 0;
    for (;;) {
      const { deliveries, settlement, next }: EndedAttempt = await this.#attempt(held, job, places, goesOn);
      delivered += settlement.delivered.length;
      if (!next) return this.#finish(job, jobToken, held.lease, deliveries, settlement, delivered);
      liveness.began(next.lease.token);
      held = next;
    }
  }

  /** Sees to what the last attempt of a run has left. */
  async #finish(
    job: BatchJob,
    jobToken: string | undefined,
    lease: Lease,
    deliveries: readonly BatchDelivery[],
    settlement: Settlement,
    delivered: number,
  ): Promise<BatchJobResult> {
    const { dispatcher } = this.#parts;
    const { destinationId, batchId, targetKind } = lease;
    const pending = settlement.frees ? [] : settlement.others.filter(({ state }) => state === 'pending');
    if (pending.length > 0) {
      const kept = new Set(pending.map(({ id }) => id));
      const left = eventsOf(deliveries.filter(({ id }) => kept.has(id)));
      // A batch is found by the id of its job. One that another batch's job has taken gets its own, and the other job ends.
      if (job.id !== batchId) {
        await dispatcher.handOver(
          { destinationId, batchId, targetKind, events: left },
          settlement.delayMs ?? 0,
        );
        return { outcome: settlement.outcome, delivered };
      }
      if (left.length < job.data.events.length)
        await job.updateData({ destinationId, batchId, events: left });
      const { status, error } = settlement;
      // For people who look at the job and ask why it waits; what counts is in the lane.
      const why = { status, code: error?.code ?? '', message: error?.message ?? '' };
      await job.updateProgress(why).catch(() => undefined);
      return delay(job, jobToken, settlement.delayMs ?? 0);
    }
    if (settlement.delayMs === null || settlement.delayMs === 0) await dispatcher.dispatch(destinationId);
    else await this.#expireBehind(lease);
    return { outcome: settlement.outcome, delivered };
  }

  async #attempt(
    { lease, askedAt, ahead }: HeldBatch,
    job: BatchJob,
    places: WorkerPlaces,
    goesOn: () => boolean,
  ): Promise<EndedAttempt> {
    const { lanes, liveness, policy, observer } = this.#parts;
    const watch = observer.attempt(lease);
    const call = new AbortController();
    this.#calls.add(call);
    const keeper = new LeaseKeeper(lanes, lease, askedAt, call);
    try {
      const startedAt = new Date();
      const begun = performance.now();
      const sending = await this.#send(lease, ahead, job, call, places, watch);
      const { deliveries, outcomes, loadedAt } = sending;
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
      const { recorded, next } = await this.#record(lease, settlement, sending.ahead !== null && goesOn());
      watch.settled(deliveries, recorded);
      this.#log(lease, deliveries, recorded, watch.traceId, {
        load_ms: Math.round(loadedAt - begun),
        send_ms: Math.round(sent - loadedAt),
        settle_ms: Math.round(performance.now() - sent),
      });
      return {
        deliveries,
        settlement: recorded,
        // Waited for by the next attempt, which keeps its lease meanwhile.
        next: next && { ...next, ahead: sending.ahead },
      };
    } finally {
      keeper.stop();
      this.#calls.delete(call);
      liveness.ended(lease.token);
      watch.ended();
    }
  }

  async #send(
    lease: Lease,
    ahead: HeldBatch['ahead'],
    job: BatchJob,
    call: AbortController,
    places: WorkerPlaces,
    watch: AttemptObserver,
  ) {
    const { batches, connections, sendTimeoutMs, logger } = this.#parts;
    const read = async () => batches.load(lease, (await ahead) ?? undefined);
    const [deliveries, opened] = await this.#load(lease, async () => {
      const opening = connections.open(lease);
      try {
        return await Promise.all([read(), opening]);
      } catch (error) {
        // Borrowed in vain: an unreleased connection is never closed.
        opening.then((borrowed) => borrowed.kind === 'open' && borrowed.release()).catch(() => undefined);
        throw error;
      }
    });
    const loadedAt = performance.now();
    if (opened.kind === 'unusable') {
      logger.warn({ err: opened.error, destination: lease.destinationId }, 'a destination cannot be used');
      const { outcome } = opened;
      return { deliveries, loadedAt, outcomes: deliveries.map(() => outcome), ahead: null };
    }
    this.#show(job, lease, deliveries);
    const next = this.#readAhead(lease, deliveries);
    // Known to fail: it does not get a place of those that deliver.
    const bytes = bytesOf(deliveries);
    let giveBack = lease.failures > 0 ? places.slow(bytes) : undefined;
    const timer = setTimeout(() => {
      giveBack ??= places.slow(bytes);
    }, SLOW_AFTER_MS);
    watch.loaded(deliveries);
    try {
      const { destinationId: destination, batchId: batch } = lease;
      const about = logger.child({ destination, batch, trace_id: watch.traceId });
      const outcomes = await attempt(opened.connection, deliveries, sendTimeoutMs, call, about);
      return { deliveries, loadedAt, outcomes, ahead: next };
    } finally {
      watch.sent();
      clearTimeout(timer);
      giveBack?.();
      opened.release();
    }
  }

  /**
   * Lets the job show the batch that it is at. Nobody waits for it: a worker's connection to a Redis that is away gives no answer until
   * that is back, and what was sent must be recorded meanwhile. What does not show is in Postgres all the same.
   */
  #show(job: BatchJob, lease: Lease, deliveries: readonly BatchDelivery[]): void {
    const { destinationId, batchId } = lease;
    if (job.data.batchId === batchId) return;
    job.updateData({ destinationId, batchId, events: eventsOf(deliveries) }).catch(() => undefined);
  }

  /**
   * Begins to read what the lane's next batch will be, while this one is sent. Null when the batch is small: then little waits,
   * and its job ends with it.
   */
  #readAhead(lease: Lease, deliveries: readonly BatchDelivery[]): Promise<ReadAhead | undefined> | null {
    const last = deliveries.at(-1);
    if (!last || deliveries.length < LARGE_BATCH || lease.failures > 0) return null;
    return this.#parts.batches
      .readAhead(lease.destinationId, last.id, deliveries.length, MAX_BATCH_BYTES)
      .catch(() => undefined);
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

  /** Records the attempt; where `takeNext` says so and nothing is left of the batch, takes the lane's next one with it. */
  async #record(
    lease: Lease,
    settlement: Settlement,
    takeNext: boolean,
  ): Promise<{ readonly recorded: Settlement; readonly next: HeldBatch | null }> {
    if (takeNext && isOver(settlement))
      return { recorded: settlement, next: await this.#goOn(lease, settlement) };
    const settled = await this.#settle(lease, settlement);
    return { recorded: settled === 'resumed' ? { ...settlement, delayMs: 0 } : settlement, next: null };
  }

  async #goOn(lease: Lease, settlement: Settlement): Promise<HeldBatch | null> {
    const { lanes, observer } = this.#parts;
    const next = { batchId: newId('bat'), token: newId('att') };
    const askedAt = performance.now();
    try {
      const went = await lanes.goOn(lease, settlement, next, LEASE_MS);
      if (went.kind === 'lost') throw new LeaseLost();
      if (went.kind === 'freed') return null;
      observer.claimed(lease.targetKind, went.lease.deliveryIds.split(',').length);
      return { lease: went.lease, askedAt };
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
    }
    try {
      await this.#settle(lease, settlement);
      return null;
    } catch (error) {
      // Perhaps all was written and only the answer was lost: then the lane has a batch that nobody is trying.
      if (error instanceof LeaseLost) await lanes.giveBack({ ...lease, ...next }).catch(() => undefined);
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
  #expireBehind({ destinationId, targetKind }: Lease): Promise<void> {
    const { lanes, dispatcher, policy, observer } = this.#parts;
    const parts = { lanes, dispatcher, deadlineMs: policy.deadlineMs };
    return expireAllWaiting(parts, destinationId, (count) => observer.expired(targetKind, count));
  }

  #log(
    lease: Lease,
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
        events: jobName(deliveries.map(({ event }) => event)),
        attempt: lease.attempt,
        records: deliveries.length,
        bytes: bytesOf(deliveries),
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

/** Whether the destination works and nothing of the batch is to be tried again. */
function isOver({ status, delayMs, nextSequence, others }: Settlement): boolean {
  const whole = nextSequence === null && others.every(({ state }) => state !== 'pending');
  return status === 'healthy' && delayMs === null && whole;
}

/** In UTF-16 units, which is bytes for what is mostly ASCII; counting bytes would read every payload again. */
function bytesOf(deliveries: readonly BatchDelivery[]): number {
  return deliveries.reduce((sum, { event }) => sum + event.json.length, 0);
}

/** What a job shows of its batch. */
function eventsOf(deliveries: readonly BatchDelivery[]): readonly JobEvent[] {
  return deliveries.map(({ event: { id, type, sequence } }) => ({ id, type, sequence }));
}

async function delay(job: BatchJob, jobToken: string | undefined, ms: number): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, jobToken);
  throw new DelayedError();
}
