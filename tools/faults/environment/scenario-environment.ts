import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import type { TargetKind } from '../../../src/targets/target.js';
import { ApiClient } from '../../harness/api-client.js';
import { runStatement } from '../../harness/database.js';
import { subscribe } from '../../harness/destinations.js';
import type { Backend } from '../../harness/options.js';
import { startSandboxProcess, type SandboxProcess } from '../../harness/sandbox-process.js';
import { serviceSettings } from '../../harness/service-settings.js';
import { until } from '../../harness/until.js';
import { verifierKeys, verifyArrivals } from '../../harness/verify-arrivals.js';
import { waitForArrival } from '../count/arrival.js';
import { countAll, countDestination, type Count, type DestinationCount } from '../count/count.js';
import { loadTypes, readEventLog, type EventLog } from '../count/event-log.js';
import { rejectedAt } from '../count/rejected.js';
import { SteadyLoad } from '../load/steady-load.js';
import { isFor, targetAt, type FaultDestination } from './destination.js';
import type { FaultPostgres } from './fault-postgres.js';
import { FaultRedis } from './fault-redis.js';
import { ServiceProcesses } from './service-processes.js';

/** Limit of the wait for checkpoints that cover what arrived. */
const SEALED_WITHIN_MS = 300_000;

/** Limit of a request of the load: longer than Waybill waits for a store, and the usual limit of load balancers. */
const USUAL_TIMEOUT_MS = 30_000;
/** The same in the short form, which runs on slow machines too. */
const LONG_TIMEOUT_MS = 120_000;

/** Options of a scenario's environment. */
export interface ScenarioEnvironmentOptions {
  readonly backend: Backend;
  readonly postgres: FaultPostgres;
  /** Folder for logs and data of this scenario. */
  readonly folder: string;
  /** True for the short form. */
  readonly short: boolean;
  readonly log: (text: string) => void;
}

/** Environment of one scenario: its own database, Redis and sandbox, and the processes that it starts. */
export class ScenarioEnvironment {
  readonly destinations: FaultDestination[] = [];
  readonly failures: string[] = [];
  readonly notes: string[] = [];
  private startedLoad: SteadyLoad | undefined;
  /** Operation ids of earlier loads. */
  private readonly acceptedBefore = new Set<string>();
  private readonly cleanups: (() => Promise<void>)[] = [];

  private constructor(
    private readonly options: ScenarioEnvironmentOptions,
    private readonly database: string,
    /** Connection string of the scenario's database. */
    readonly connectionString: string,
    /** Null on the Postgres backend. */
    readonly redis: FaultRedis | null,
    readonly sandbox: SandboxProcess,
    readonly processes: ServiceProcesses,
    /** The admin's API key. */
    readonly token: string,
  ) {}

  static async open(options: ScenarioEnvironmentOptions): Promise<ScenarioEnvironment> {
    const { backend, postgres, folder } = options;
    mkdirSync(folder, { recursive: true });
    const database = `faults_${randomBytes(6).toString('hex')}`;
    const connectionString = await postgres.createDatabase(database);
    const redis = backend === 'redis' ? await FaultRedis.open(join(folder, 'redis')) : null;
    const sandbox = await startSandboxProcess(false).catch(async (error: unknown) => {
      await redis?.close();
      throw error;
    });
    const token = `faults_${randomBytes(24).toString('hex')}`;
    const settings = {
      ...serviceSettings({ sandbox, connectionString, redisUrl: redis?.url, token }),
      // The default of five minutes would make each scenario wait that long after an outage.
      DELIVERY_BACKOFF_CAP_MS: '5000',
      // Logs are signed while processes are killed.
      PROOF_CHECKPOINT_SECONDS: '1',
    };
    const processes = new ServiceProcesses(settings, folder);
    return new ScenarioEnvironment(options, database, connectionString, redis, sandbox, processes, token);
  }

  get postgres(): FaultPostgres {
    return this.options.postgres;
  }

  get folder(): string {
    return this.options.folder;
  }

  get short(): boolean {
    return this.options.short;
  }

  /** Name of the scenario's database. */
  get databaseName(): string {
    return this.database;
  }

  /** Returns one of two values: for the full or the short form. */
  pick(full: number, short: number): number {
    return this.options.short ? short : full;
  }

  /** Writes a line of progress to standard error. */
  log(text: string): void {
    this.options.log(text);
  }

  /** Adds a remark below the table, for a figure that is not in the count. */
  note(text: string): void {
    this.notes.push(text);
  }

  /** Checks a condition in addition to the count. The scenario fails if it does not hold. */
  expect(holds: boolean, text: string): void {
    if (holds) return;
    this.failures.push(text);
    this.log(`FAILED: ${text}`);
  }

  /** Client of a ready api process. */
  get api(): ApiClient {
    const [url] = this.processes.apiUrls();
    if (url === undefined) throw new Error('No api process is ready.');
    return new ApiClient(url, this.token);
  }

  /** Runs a statement in the scenario's database. */
  query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return runStatement<Row>(this.connectionString, statement);
  }

  /**
   * Counts rows of the scenario's database.
   * @param rows what follows `from`: `deliveries where state = 'pending'`
   */
  async count(rows: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(`select count(*)::int as count from ${rows}`);
    return row?.count ?? 0;
  }

  /** Counts the events that have arrived at the sandbox. */
  async arrived(): Promise<number> {
    return (await this.sandbox.counts()).reduce((sum, { events }) => sum + events, 0);
  }

  /**
   * Creates a destination through the API, with its own address.
   * @param target members that override those of the target
   */
  async createDestination(kind: TargetKind, target: Readonly<Record<string, unknown>> = {}): Promise<FaultDestination> {
    const { address, target: base } = targetAt(kind, this.destinations.length + 1);
    const { id } = await this.api.create('/event_destinations', {
      target: { [kind]: { ...base, ...target } },
    });
    const destination = { id, kind, address };
    this.destinations.push(destination);
    return destination;
  }

  /** Creates a destination of each kind and subscribes all destinations to the changes of the load. */
  async subscribe(kinds: readonly TargetKind[] = []): Promise<void> {
    for (const kind of kinds) await this.createDestination(kind);
    const ids = this.destinations.map(({ id }) => id);
    await subscribe(this.api, ids, loadTypes);
  }

  /** Starts the load of the scenario. Changes of an earlier load, which must have stopped, may be lost. */
  async startLoad(perSecond: number, hot = 8): Promise<SteadyLoad> {
    for (const id of this.startedLoad?.counts.accepted ?? []) this.acceptedBefore.add(id);
    const urls = () => this.processes.apiUrls();
    const timeoutMs = this.pick(USUAL_TIMEOUT_MS, LONG_TIMEOUT_MS);
    this.startedLoad = await SteadyLoad.start(urls, this.token, { perSecond, hot, timeoutMs });
    return this.startedLoad;
  }

  /** Starts an api and a worker, subscribes a destination of each kind, and starts the load. */
  async begin(kinds: readonly TargetKind[], perSecond: number, hot?: number): Promise<SteadyLoad> {
    await this.processes.start('api');
    await this.processes.start('worker');
    await this.subscribe(kinds);
    return this.startLoad(perSecond, hot);
  }

  /** Begins with slow calls, so that attempts are open at an outage. Waits for the first delivery. */
  async beginWithOpenAttempts(kinds: readonly TargetKind[]): Promise<void> {
    await this.sandbox.script({ kind: 'slow', delayMs: 100 });
    await this.begin(kinds, this.pick(60, 40));
    await this.waitForDelivery();
  }

  get load(): SteadyLoad {
    if (!this.startedLoad) throw new Error('The scenario has no load.');
    return this.startedLoad;
  }

  /** Waits while the load runs, and logs its progress. */
  async wait(seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    for (;;) {
      const left = end - performance.now();
      if (left <= 0) return;
      await sleep(Math.min(left, 5_000));
      if (left > 5_000) this.log(this.startedLoad?.summary ?? 'waiting');
    }
  }

  /**
   * Waits until another event arrives at the sandbox.
   * @throws Error after five minutes without one
   */
  async waitForDelivery(): Promise<void> {
    const before = await this.arrived();
    await until(async () => (await this.arrived()) > before, 'another event arrives');
  }

  /**
   * Stops the load, waits for arrivals, and compares the arrivals with the event log. Ends every scenario. An api
   * process must be ready.
   * @param rejected number of events that each target rejects in this scenario
   */
  async verify(rejected = 0): Promise<Count> {
    const { destinations } = this;
    await this.startedLoad?.stop();
    this.log(`load stopped: ${this.startedLoad?.summary ?? 'no load'}; waiting for arrivals`);
    const eventLog = await readEventLog(this.api);
    await waitForArrival(this, destinations, eventLog.events.size, rejected);
    const counts = await this.countArrivals(destinations, eventLog);
    const count = countAll(eventLog, this.startedLoad?.counts.accepted ?? new Set(), counts, this.acceptedBefore);
    if (this.startedLoad) this.note(this.startedLoad.summary);
    if (count.published_unanswered > 0)
      this.note(`${count.published_unanswered} changes were committed without a 2xx response`);
    return count;
  }

  /**
   * Compares the arrivals with the event log, and verifies them with the signed logs. Checkpoints must cover all of
   * them but undone ones. An api and a worker must be ready.
   */
  async countArrivals(
    destinations: readonly FaultDestination[],
    eventLog: EventLog,
  ): Promise<readonly DestinationCount[]> {
    const received = await this.sandbox.allReceived();
    const keys = await verifierKeys(this.api);
    const deadline = Date.now() + SEALED_WITHIN_MS;
    const counts: DestinationCount[] = [];
    let proved = 0;
    for (const destination of destinations) {
      const own = received.filter((event) => isFor(destination, event));
      const count = countDestination(destination, own, eventLog, await rejectedAt(this.api, destination.id));
      counts.push(count);
      // The comparison with the event log counts what is missing.
      const verified = () => verifyArrivals(this.api, destination.id, own, keys, () => true);
      let found = await verified();
      while (found.unsealed > count.undone && Date.now() < deadline) {
        await sleep(500);
        found = await verified();
      }
      for (const { events, repeats } of found.logs) proved += events + repeats;
      const disproved = JSON.stringify(found.findings.counts);
      this.expect(
        found.findings.list.length === 0,
        `the log of ${destination.kind} proves its arrivals: not ${disproved}`,
      );
      this.expect(
        found.unsealed <= count.undone,
        `checkpoints cover the arrivals at ${destination.kind}: not ${found.unsealed} of them`,
      );
    }
    this.note(`${proved} arrivals proved by signed logs`);
    return counts;
  }

  /** Adds a step to `close`, when the processes have stopped and Postgres runs. */
  onClose(cleanup: () => Promise<void>): void {
    this.cleanups.push(cleanup);
  }

  /**
   * Stops every process and drops the database. A step that fails does not keep the others from running.
   * @throws AggregateError when a step failed
   */
  async close(): Promise<void> {
    const steps: readonly (() => Promise<void> | undefined)[] = [
      () => this.startedLoad?.stop(),
      () => this.processes.close(),
      () => this.sandbox.close(),
      () => this.redis?.close(),
      () => this.postgres.start(),
      ...this.cleanups,
      () => this.postgres.dropDatabase(this.database),
    ];
    const errors: unknown[] = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  }
}
