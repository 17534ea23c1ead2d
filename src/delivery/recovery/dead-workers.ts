import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { DeliveryObserver } from '../delivery-observer.js';
import { BatchJobs } from '../dispatch/batch-jobs.js';
import type { LaneStore } from '../lanes/lane-store.js';
import type { Queues } from '../queues/queues.js';
import type { DeadWorkerStore, OrphanedBatch } from './dead-worker-store.js';
import type { Sweeper } from './sweeper.js';
import type { MissingPresence, PresenceTimes, WorkerPresence } from './worker-presence.js';

/** Time between two looks, in milliseconds. */
const LOOK_INTERVAL_MS = 1_000;

/** Batches that get a job concurrently. */
const CONCURRENCY = 20;

/** What the search for dead workers works with. */
export interface DeadWorkersParts {
  readonly presence: Pick<WorkerPresence, 'missing' | 'tried'>;
  readonly store: Pick<DeadWorkerStore, 'endLeases'>;
  readonly lanes: Pick<LaneStore, 'eventsOf'>;
  readonly queues: Queues;
  readonly sweeper: Pick<Sweeper, 'sweepAfter'>;
  readonly observer: Pick<DeliveryObserver, 'workerDied'>;
  readonly logger: Logger;
  readonly times: Pick<PresenceTimes, 'confirmMs'>;
}

/** Looks for dead workers, ends their leases, and has their batches attempted at once by the workers that live. */
export class DeadWorkers {
  private readonly jobs: BatchJobs;
  private readonly confirmMs: number;
  private readonly errors: ThrottledLog;
  /** The presences that were missing in the last look for the first time. The next look is `confirmMs` later. */
  private suspects = new Set<number>();
  /** Deaths whose leases were ended, with the batches that may have no new job yet. */
  private readonly unfinished = new Map<string, readonly OrphanedBatch[]>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly parts: DeadWorkersParts) {
    this.jobs = new BatchJobs(parts.queues);
    this.confirmMs = parts.times.confirmMs;
    this.errors = new ThrottledLog(parts.logger);
  }

  /** Looks as soon as the worker's own session is open: before that it sees no deaths, and the next look is late. */
  start(): void {
    void this.parts.presence.tried.then(() => this.lookIn(0));
  }

  /** Resolves when the look under way has ended; starts no more. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private lookIn(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.looking = this.look()
        .catch((error: unknown) =>
          this.errors.warn(error, 'cannot look for dead workers; their leases end by themselves'),
        )
        .then(() => this.lookIn(this.suspects.size > 0 ? this.confirmMs : LOOK_INTERVAL_MS));
    }, ms);
  }

  private async look(): Promise<void> {
    const suspects = this.suspects;
    this.suspects = new Set();
    for (const [death, batches] of this.unfinished) await this.finish(death, batches);
    const missing = (await this.parts.presence.missing()) ?? [];
    this.suspects = new Set(missing.map(({ id }) => id).filter((id) => !suspects.has(id)));
    for (const presence of missing) if (suspects.has(presence.id)) await this.recover(presence);
  }

  private async recover({ id, instance }: MissingPresence): Promise<void> {
    const { store, observer, logger } = this.parts;
    const batches = await store.endLeases(id);
    if (batches === null) return;
    logger.warn({ worker: instance, batches: batches.length }, 'a worker died: its leases were ended');
    observer.workerDied(batches.length);
    const death = String(id);
    this.unfinished.set(death, batches);
    await this.finish(death, batches);
  }

  /** Adds the jobs of a dead worker's batches, and sweeps. After an error, such as a lost Redis, the next look does. */
  private async finish(death: string, batches: readonly OrphanedBatch[]): Promise<void> {
    try {
      for (let rest = batches; rest.length > 0; rest = rest.slice(CONCURRENCY)) {
        this.unfinished.set(death, rest);
        await Promise.all(rest.slice(0, CONCURRENCY).map((batch) => this.addJob(batch, death)));
      }
      this.unfinished.set(death, []);
      await this.parts.sweeper.sweepAfter({ name: death, sinceMs: this.confirmMs });
      this.unfinished.delete(death);
    } catch (error) {
      this.errors.warn(error, 'cannot add the jobs of a dead worker; the next look tries again');
    }
  }

  /** The batch's own job is still locked by the dead worker, and finds nothing to do when it runs again. */
  private async addJob(batch: OrphanedBatch, death: string): Promise<void> {
    const events = await this.parts.lanes.eventsOf(batch);
    if (events.length > 0) await this.jobs.addAfter(death, { ...batch, events });
  }
}
