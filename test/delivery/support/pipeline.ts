import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { readConfig, type Config } from '../../../src/config/config.js';
import { ProcessSession } from '../../../src/database/process-session.js';
import type { Store } from '../../../src/database/store.js';
import { TargetClients } from '../../../src/delivery/attempts/target-clients.js';
import { unobserved, type DeliveryObserver } from '../../../src/delivery/delivery-observer.js';
import { Dispatcher } from '../../../src/delivery/dispatch/dispatcher.js';
import type { Witness } from '../../../src/delivery/epochs/witness.js';
import type { LimitsByKind } from '../../../src/delivery/lanes/batch-limits.js';
import { LaneStore } from '../../../src/delivery/lanes/lane-store.js';
import { openQueues, type Queues } from '../../../src/delivery/queues/queues.js';
import { startWorker, workerLiveness, type DeliveryWorker, type WorkerParts } from '../../../src/delivery/worker.js';
import { createLogger, type Logger } from '../../../src/logging/logger.js';
import { SecretStore } from '../../../src/secrets/secret-store.js';
import { targetLimits, targetOf } from '../../../src/targets/registry.js';
import { createTestStore, type TestStoreOptions } from '../../support/database.js';
import { setEnvironment } from '../../support/environment.js';
import type { TestBackend } from '../../support/redis.js';
import { testKeyRing } from '../../support/secrets.js';
import { epochPartsOf } from './epochs.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination, type SeedOptions } from './seed.js';

/** Settings with short intervals and backoffs. */
const quick = {
  DELIVERY_BACKOFF_BASE_MS: '20',
  DELIVERY_BACKOFF_CAP_MS: '200',
  DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: '86400000',
  DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: '86400000',
  DELIVERY_SEND_TIMEOUT_MS: '10000',
  SWEEP_INTERVAL_MS: '1000',
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
};

/** The delivery pipeline with a database, queues and a sandbox of its own. */
export class Pipeline {
  readonly secrets = new SecretStore(testKeyRing());
  readonly clients: TargetClients;
  private readonly workers: DeliveryWorker[] = [];
  private readonly sessions: ProcessSession[] = [];

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

  /** Starts a worker; more than one may run. */
  startWorker(
    settings: Partial<Config> = {},
    observer: DeliveryObserver = unobserved,
    witness: Witness | null = null,
    parts: Pick<WorkerParts, 'presenceTimes'> = {},
  ): DeliveryWorker {
    const worker = startWorker({
      config: { ...this.config, ...settings },
      store: this.store,
      session: this.newSession(),
      secrets: this.secrets,
      queues: this.queues,
      lanes: this.lanes,
      dispatcher: this.dispatcher,
      targetOf,
      clients: this.clients,
      logger: this.logger,
      observer,
      ...epochPartsOf(this.store, witness),
      liveness: workerLiveness(this.config),
      ...parts,
    });
    this.workers.push(worker);
    return worker;
  }

  /** Returns a session as of another process, until the workers are stopped. */
  newSession(): ProcessSession {
    const { store, logger } = this;
    const session = new ProcessSession({ connectionString: store.connectionString, name: 'worker of a test', logger });
    this.sessions.push(session);
    return session;
  }

  /** Stops the workers that run. */
  async stopWorkers(withinMs = 10_000): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop(withinMs)));
    await Promise.all(this.sessions.splice(0).map((session) => session.close()));
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

  /** Resolves when the destination has nothing pending; fails after `withinMs`. */
  async settled(destination: SeededDestination, withinMs = 200_000): Promise<void> {
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

/** Resolves when the condition holds; fails with its name after `withinMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  name: string,
  withinMs = 200_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out after ${withinMs} ms: ${name}`);
    await sleep(20);
  }
}
