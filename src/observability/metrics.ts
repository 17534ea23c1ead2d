import { collectDefaultMetrics } from 'prom-client';
import type { ClientReport } from '../delivery/attempts/target-clients.js';
import type { DeliveryObserver } from '../delivery/delivery-observer.js';
import { laneStates } from '../delivery/lanes/lane-state.js';
import type { Queues } from '../delivery/queues/queues.js';
import { publishResults, type RequestObserver } from '../http/request/request-observer.js';
import type { LogLag, LogStore } from '../proof/log-store.js';
import { targetKinds } from '../targets/target.js';
import { withTimeout } from '../timing/with-timeout.js';
import type { InstallationState, InstallationStateStore } from './installation-state-store.js';
import { createInstruments, type Instruments } from './instruments.js';
import type { LaneTotals } from './lane-totals-store.js';
import type { AllLaneTotals } from './lane-totals.js';
import { measuredDeliveries } from './measured-deliveries.js';

/** How long a reading of the stores is reused, so that many scrapers cost as much as one. */
const CACHE_MS = 5_000;

/** Timeout of reading a store at a scrape. Prometheus waits for ten seconds by default. */
const READ_TIMEOUT_MS = 3_000;

/** The states of jobs that are counted. */
const jobStates = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const;

/** The sources of the gauges. */
export interface MetricsParts {
  readonly lanes: Pick<AllLaneTotals, 'read'>;
  readonly installation: Pick<InstallationStateStore, 'read'>;
  readonly logs: Pick<LogStore, 'lag'>;
  readonly queues: Queues;
  /** Returns whether the worker of this process makes progress; null without a worker. */
  readonly workerIsAlive: () => boolean | null;
  /** Returns the vendors' clients that the worker of this process needs. */
  readonly clients: () => readonly ClientReport[];
}

/** The metrics of a process. */
export interface Metrics {
  readonly requests: RequestObserver;
  readonly deliveries: DeliveryObserver;
  readonly contentType: string;
  /** Returns all metrics in Prometheus' text format. When a store fails, its gauges are absent. */
  render(): Promise<string>;
}

/** Creates the metrics of a process, including those of Node.js. */
export function createMetrics(parts: MetricsParts): Metrics {
  const { queues, workerIsAlive, clients } = parts;
  const instruments = createInstruments();
  const { registry, requests, requestDuration, published, workerAlive } = instruments;
  collectDefaultMetrics({ register: registry });
  const readStores = cached(async () => {
    await Promise.all([readDatabase(instruments, parts), readJobs(instruments, queues)]);
  });
  return {
    deliveries: measuredDeliveries(instruments),
    requests: {
      responded({ method, route, status, durationMs }) {
        const labels = { method, route: route ?? 'none' };
        requests.inc({ ...labels, status: String(status) });
        requestDuration.observe(labels, durationMs / 1_000);
      },
      published(events) {
        for (const result of publishResults) published.inc({ result }, events[result] ?? 0);
      },
    },
    contentType: registry.contentType,
    async render() {
      await readStores();
      const alive = workerIsAlive();
      if (alive !== null) workerAlive.set(alive ? 1 : 0);
      else registry.removeSingleMetric('waybill_worker_alive');
      showClients(instruments, clients());
      return registry.metrics();
    },
  };
}

function showClients({ clientLoaded, clientLoad }: Instruments, clients: readonly ClientReport[]): void {
  for (const { kind: target, state, loadMs } of clients) {
    clientLoaded.set({ target }, state === 'loaded' ? 1 : 0);
    if (loadMs !== null) clientLoad.set({ target }, loadMs / 1_000);
  }
}

async function readDatabase(instruments: Instruments, { lanes, installation, logs }: MetricsParts) {
  const [totals, state, lag] = await Promise.all([
    withinTimeout(lanes.read()),
    withinTimeout(installation.read()),
    withinTimeout(logs.lag()),
  ]);
  instruments.storeUp.set({ store: 'database' }, totals && state && lag ? 1 : 0);
  showLanes(instruments, totals);
  showInstallation(instruments, state);
  showLogs(instruments, lag);
}

function showLogs({ unsignedLogs, oldestUnsigned }: Instruments, lag?: LogLag) {
  for (const gauge of [unsignedLogs, oldestUnsigned]) gauge.remove();
  if (!lag) return;
  unsignedLogs.set(lag.logs);
  oldestUnsigned.set(lag.oldestSeconds);
}

function showInstallation({ epoch, fenced, waitingFanOuts, oldestFanOut }: Instruments, state?: InstallationState) {
  for (const gauge of [epoch, fenced, waitingFanOuts, oldestFanOut]) gauge.remove();
  if (!state) return;
  epoch.set(state.epoch);
  fenced.set(state.fenced ? 1 : 0);
  waitingFanOuts.set(state.waitingParts);
  oldestFanOut.set(state.oldestPartSeconds);
}

function showLanes({ lanes, pending, oldest }: Instruments, totals?: readonly LaneTotals[]) {
  for (const gauge of [lanes, pending, oldest]) gauge.reset();
  if (!totals) return;
  // Statuses without a lane are 0, so that a sum over them is never absent.
  for (const target of targetKinds) {
    for (const status of laneStates) {
      for (const isMuted of [false, true]) {
        const found = totals.find(
          (total) => total.targetKind === target && total.state === status && total.isMuted === isMuted,
        );
        const labels = { target, status, muted: String(isMuted) };
        lanes.set(labels, found?.lanes ?? 0);
        pending.set(labels, found?.pending ?? 0);
        oldest.set(labels, found?.oldestSeconds ?? 0);
      }
    }
  }
}

async function readJobs({ jobs, storeUp }: Instruments, queues: Queues) {
  const counts = await withinTimeout(
    Promise.all(queues.all().map(async (queue) => [queue.name, await queue.getJobCounts(...jobStates)] as const)),
  );
  jobs.reset();
  storeUp.set({ store: 'queues' }, counts ? 1 : 0);
  for (const [queue, count] of counts ?? []) {
    for (const state of jobStates) jobs.set({ queue, state }, count[state] ?? 0);
  }
}

/** Returns undefined when a reading fails or takes too long. */
function withinTimeout<T>(reading: Promise<T>): Promise<T | undefined> {
  return withTimeout(
    reading.catch(() => undefined),
    READ_TIMEOUT_MS,
  );
}

/** Wraps `read` to run at most once in CACHE_MS. */
function cached(read: () => Promise<void>): () => Promise<void> {
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  return async () => {
    if (performance.now() - readAt < CACHE_MS) return;
    reading ??= read().finally(() => {
      readAt = performance.now();
      reading = null;
    });
    await reading;
  };
}
