import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { CONFIG, readConfig, type Config } from '../../../src/config/config.js';
import { processProviders } from '../../../src/config/config.providers.js';
import { DATABASE } from '../../../src/database/database.js';
import { databaseProviders } from '../../../src/database/database.providers.js';
import { STORE, type Store } from '../../../src/database/store.js';
import { TargetClients } from '../../../src/delivery/attempts/target-clients.js';
import { DELIVERY_OBSERVER, unobserved } from '../../../src/delivery/delivery-observer.js';
import { deliveryProviders } from '../../../src/delivery/delivery.providers.js';
import { Dispatcher } from '../../../src/delivery/dispatch/dispatcher.js';
import { WITNESS } from '../../../src/delivery/epochs/witness.js';
import type { LimitsByKind } from '../../../src/delivery/lanes/batch-limits.js';
import { LaneStore } from '../../../src/delivery/lanes/lane-store.js';
import { openQueues, QUEUES, type Queues } from '../../../src/delivery/queues/queues.js';
import { RECORD_MARKERS } from '../../../src/delivery/recovery/epoch-starts.js';
import { DeliveryWorker } from '../../../src/delivery/worker.js';
import { deliveryTasks, workerProviders } from '../../../src/delivery/worker.providers.js';
import { recordEpochMarkers } from '../../../src/events/fan-out/epoch-markers.js';
import { Lifecycle } from '../../../src/lifecycle/lifecycle.js';
import { provide, type Provider } from '../../../src/lifecycle/provide.js';
import { createLogger, LOGGER, type Logger } from '../../../src/logging/logger.js';
import { Maintenance, MAINTENANCE_TASKS } from '../../../src/maintenance/maintenance.js';
import { maintenanceProviders } from '../../../src/maintenance/maintenance.providers.js';
import { LogSealer } from '../../../src/proof/log-sealer.js';
import { proofProviders } from '../../../src/proof/proof.providers.js';
import { LogKeys, openLogKeys } from '../../../src/secrets/log-keys.js';
import { SecretStore } from '../../../src/secrets/secret-store.js';
import { targetLimits, targetOf } from '../../../src/targets/registry.js';
import { until } from '../../../tools/harness/until.js';
import { createTestStore, type TestStoreOptions } from '../../support/database.js';
import { setEnvironment } from '../../support/environment.js';
import type { TestBackend } from '../../support/redis.js';
import { testKeyRing } from '../../support/secrets.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination, type SeedOptions } from './seed.js';

/** Settings with short intervals and backoffs. A call has more time than it needs on a slow machine. */
const quick = {
  DELIVERY_BACKOFF_BASE_MS: '20',
  DELIVERY_BACKOFF_CAP_MS: '200',
  DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: '86400000',
  DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: '86400000',
  DELIVERY_SEND_TIMEOUT_MS: '120000',
  SWEEP_INTERVAL_MS: '1000',
  SHUTDOWN_DEADLINE_MS: '10000',
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
};

/** A running worker of a pipeline. */
export interface PipelineWorker {
  /** Stops it within SHUTDOWN_DEADLINE_MS. */
  stop(): Promise<void>;
}

@Module({})
class WorkerModule {}

/** The delivery pipeline with a database, queues and a sandbox of its own. */
export class Pipeline {
  readonly ring = testKeyRing();
  readonly secrets = new SecretStore(this.ring);
  readonly clients: TargetClients;
  private readonly workers = new Set<PipelineWorker>();

  private constructor(
    readonly config: Config,
    readonly store: Store,
    readonly queues: Queues,
    readonly lanes: LaneStore,
    readonly dispatcher: Dispatcher,
    readonly sandbox: Sandbox,
    readonly accountId: string,
    readonly logger: Logger,
  ) {
    this.clients = new TargetClients(targetOf, logger);
  }

  /** Opens the stores, the queues and a sandbox. No worker runs yet. */
  static async open(
    backend: TestBackend,
    settings: Readonly<Record<string, string>> = {},
    limits: LimitsByKind = targetLimits,
    storeOptions: TestStoreOptions = {},
  ): Promise<Pipeline> {
    const sandbox = await startSandbox();
    setEnvironment(sandbox.environment);
    const config = readConfig({
      ...sandbox.environment,
      ...quick,
      QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
      REDIS_URL: backend.redisUrl,
      ...settings,
    });
    const logger = createLogger(config.LOG_LEVEL);
    const store = await createTestStore({ poolSize: 10, ...storeOptions });
    const queues = await openQueues(config, store, logger);
    const lanes = new LaneStore(store.db, limits);
    const dispatcher = new Dispatcher(lanes, queues, logger);
    const accountId = await seedAccount(store);
    return new Pipeline(config, store, queues, lanes, dispatcher, sandbox, accountId, logger);
  }

  /**
   * Starts a worker, made from the providers of the service; more than one may run.
   * @param replaced providers that replace those of the service
   */
  async startWorker(settings: Partial<Config> = {}, ...replaced: readonly Provider[]): Promise<PipelineWorker> {
    const lifecycle = new Lifecycle();
    const graph = await NestFactory.createApplicationContext(
      {
        module: WorkerModule,
        providers: [
          ...processProviders({ ...this.config, ...settings }, this.logger, lifecycle),
          ...databaseProviders,
          ...deliveryProviders,
          ...workerProviders,
          ...maintenanceProviders,
          provide(STORE, [], () => this.store),
          provide(DATABASE, [], () => this.store.db),
          provide(SecretStore, [], () => this.secrets),
          provide(LogKeys, [CONFIG, LOGGER], (config, log) => openLogKeys(this.store.db, this.ring, config, log)),
          provide(QUEUES, [], () => this.queues),
          provide(LaneStore, [], () => this.lanes),
          provide(Dispatcher, [], () => this.dispatcher),
          provide(TargetClients, [], () => this.clients),
          provide(WITNESS, [], () => null),
          provide(RECORD_MARKERS, [], () => recordEpochMarkers),
          ...proofProviders,
          provide(DELIVERY_OBSERVER, [], () => unobserved),
          provide(MAINTENANCE_TASKS, [...deliveryTasks, LogSealer], (...tasks) => tasks),
          ...replaced,
        ],
      },
      { logger: false, abortOnError: false },
    );
    await lifecycle.run([graph.get(DeliveryWorker), graph.get(Maintenance)]);
    const worker = {
      stop: () => {
        this.workers.delete(worker);
        return lifecycle.close();
      },
    };
    this.workers.add(worker);
    return worker;
  }

  /** Stops the workers that run. */
  async stopWorkers(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.stop()));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.dispatcher.idle();
    await this.queues.close();
    await this.sandbox.close();
    await this.store.close();
  }

  /** Creates a destination and announces its kind, as the API does. */
  async destination(options?: Parameters<typeof seedDestination>[4]): Promise<SeededDestination> {
    const destination = await seedDestination(this.store, this.secrets, this.lanes, this.accountId, options);
    this.clients.announce(destination.kind);
    return destination;
  }

  /**
   * Commits events for the destinations and notifies the dispatcher, as the API does. Returns the events' ids, in
   * order.
   */
  async publish(
    destinations: readonly SeededDestination[],
    count: number,
    options?: SeedOptions,
  ): Promise<readonly string[]> {
    const ids = await seedEvents(this.store, destinations, count, options);
    this.dispatcher.notify(destinations.map(({ id }) => id));
    return ids;
  }

  /** Returns the events that the sandbox received for a destination, in the order of arrival. */
  received(destination: SeededDestination): readonly { event_id: string; sequence: number }[] {
    return this.sandbox.received({ target: destination.kind, address: destination.address }).map(({ body }) => {
      const outer = JSON.parse(body);
      return destination.kind === 'monitoring' ? JSON.parse(outer.message ?? body) : outer;
    });
  }

  /** Resolves when the destination has nothing pending; fails after some minutes, or `withinMs`. */
  async settled(destination: SeededDestination, withinMs?: number): Promise<void> {
    await until(
      async () => {
        const { rows } = await this.store.pool.query(
          `select from deliveries where destination_id = $1 and state = 'pending' limit 1`,
          [destination.id],
        );
        return rows.length === 0;
      },
      `nothing is pending for ${destination.id}`,
      withinMs,
    );
  }
}
