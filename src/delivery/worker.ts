import type { Config } from '../config/config.js';
import { Liveness } from '../health/liveness.js';
import type { Runner } from '../lifecycle/lifecycle.js';
import type { Logger } from '../logging/logger.js';
import { targetKinds, type TargetKind } from '../targets/target.js';
import { withTimeout } from '../timing/with-timeout.js';
import type { BatchProcessor } from './attempts/batch-processor.js';
import { makeBatchWorkers, type BatchWorkerSettings, type KindWorker } from './attempts/batch-workers.js';
import type { DestinationConnections } from './attempts/destination-connections.js';
import type { DestinationStore } from './attempts/destination-store.js';
import type { TargetClients } from './attempts/target-clients.js';
import type { Epochs } from './epochs/epochs.js';
import type { Queues } from './queues/queues.js';
import type { DeadWorkers } from './recovery/dead-workers.js';
import type { Sweeper } from './recovery/sweeper.js';
import type { WorkerPresence } from './recovery/worker-presence.js';

/**
 * Longest time to lease, load and settle a batch while Postgres is down, in milliseconds: each try ends after
 * SILENCE_TIMEOUT_MS and CONNECTION_TIMEOUT_MS, which counts twice in a share of the pool, and a settlement is tried
 * eight times within half a minute.
 */
const MAX_BOOKKEEPING_MS = 500_000;

/** Part of the shutdown deadline that is reserved to record the aborted calls, in milliseconds. */
const RECORDING_MS = 3_000;

/** What a worker works with. */
export interface DeliveryWorkerParts {
  readonly config: BatchWorkerSettings & Pick<Config, 'SHUTDOWN_DEADLINE_MS'>;
  readonly queues: Queues;
  readonly processor: BatchProcessor;
  readonly destinations: DestinationStore;
  readonly connections: DestinationConnections;
  readonly clients: TargetClients;
  readonly presence: WorkerPresence;
  readonly deadWorkers: DeadWorkers;
  readonly epochs: Epochs;
  readonly sweeper: Sweeper;
  /** Records the progress of the worker. */
  readonly liveness: Liveness;
  readonly logger: Logger;
}

/** Returns the liveness of a worker with these settings, before the worker starts. */
export function workerLiveness(config: Pick<Config, 'SWEEP_INTERVAL_MS' | 'DELIVERY_SEND_TIMEOUT_MS'>): Liveness {
  return new Liveness(
    Math.max(60_000, 4 * config.SWEEP_INTERVAL_MS),
    config.DELIVERY_SEND_TIMEOUT_MS + MAX_BOOKKEEPING_MS,
  );
}

/** The BullMQ workers of the five queues, with the presence that shows the other processes that they live. */
export class DeliveryWorker implements Runner {
  private workers: readonly KindWorker[] = [];
  private isStopping = false;
  private heartbeat: NodeJS.Timeout | undefined;
  private loading: Promise<(() => void) | null> = Promise.resolve(null);

  constructor(private readonly parts: DeliveryWorkerParts) {}

  /**
   * Starts each worker when the client of its kind is loaded, so that no job waits in a slot for it. Until then, other
   * processes may take the jobs of that kind.
   */
  start(): void {
    const { config, queues, processor, clients, presence, deadWorkers, epochs, sweeper, liveness, logger } = this.parts;
    presence.start(() => {
      logger.warn('other workers may have ended the leases of this one: its calls are aborted and repeated');
      processor.abortCalls();
    });
    this.workers = makeBatchWorkers(queues, processor, config, logger);
    // After the presence: the leases name it, and loading keeps the process busy while the batches of a dead worker
    // wait.
    this.loading = presence.tried.then(() =>
      this.isStopping
        ? null
        : clients.start(
            () => this.kindsToLoad(),
            (loaded) => this.isStopping || this.workers.find(({ kind }) => kind === loaded)?.run(),
          ),
    );
    deadWorkers.start();
    // What was fenced waits: for the start of an epoch, or for a claim.
    epochs.onAdmitted(() => void sweeper.run().catch(() => undefined));
    // Migrations and loading may have taken long since the liveness was created.
    liveness.ticked();
    this.heartbeat = setInterval(() => this.recordProgress(), 1_000);
  }

  /**
   * Takes no more jobs and waits for those under way. Shortly before the deadline, it aborts their calls and records
   * the outcomes. Other workers find the rest when its leases expire.
   * @param withinMs the deadline, in milliseconds from now
   */
  async stop(withinMs = this.parts.config.SHUTDOWN_DEADLINE_MS): Promise<void> {
    const { processor, connections, presence, deadWorkers, logger } = this.parts;
    this.isStopping = true;
    void this.loading.then((stopLoading) => stopLoading?.());
    processor.stop();
    const looksStopped = deadWorkers.stop();
    const closing = this.workers.map(({ worker }) => worker.close());
    // When one cannot be closed, the others still end their batches.
    const closed = Promise.allSettled(closing);
    let isDone = true;
    try {
      const callsMs = Math.max(withinMs - RECORDING_MS, withinMs / 2);
      if (!(await withTimeout(closed, callsMs))) {
        processor.abort();
        if (!(await withTimeout(closed, withinMs - callsMs))) {
          isDone = false;
          logger.warn('shutdown deadline reached with batches under way; another worker will retry them');
        }
      }
      await withTimeout(looksStopped, 1_000);
      // Throws the error of a worker that failed to close; does not wait for the others.
      await withTimeout(Promise.all(closing), 0);
    } finally {
      clearInterval(this.heartbeat);
      await presence.leave(isDone);
      await connections.close();
    }
  }

  private recordProgress(): void {
    const { liveness } = this.parts;
    liveness.ticked();
    for (const { worker } of this.workers) if (worker.isRunning()) liveness.loopRuns(`the worker for ${worker.name}`);
  }

  /** Returns the kinds of target that have destinations, or jobs: those of a deleted destination end as well. */
  private async kindsToLoad(): Promise<readonly TargetKind[]> {
    const { destinations, queues } = this.parts;
    const used = await destinations.kindsInUse();
    const others = targetKinds.filter((kind) => !used.includes(kind));
    const waiting = await Promise.all(others.map((kind) => queues.queue(kind).count()));
    return [...used, ...others.filter((_, index) => (waiting[index] ?? 0) > 0)];
  }
}
