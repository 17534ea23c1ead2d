import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import type { TargetKind } from '../../../src/targets/target.js';
import { startSandboxProcess, type SandboxProcess } from '../../bench/environment/sandbox.js';
import type { Backend } from '../../bench/result.js';
import { ApiClient } from '../../demo/api-client.js';
import { waitForArrival } from '../count/arrival.js';
import { countAll, countDestination, type Count, type DestinationCount } from '../count/count.js';
import { rejectedAt } from '../count/rejected.js';
import { loadTypes, readLedger } from '../count/ledger.js';
import { SteadyLoad } from '../load/steady-load.js';
import { isFor, targetAt, type FaultDestination } from './destination.js';
import { runStatement, type FaultPostgres } from './fault-postgres.js';
import { FaultRedis } from './fault-redis.js';
import { ServiceCrew } from './service-processes.js';

/** What a stage is opened with. */
export interface StageParts {
  readonly backend: Backend;
  readonly postgres: FaultPostgres;
  /** For logs and data of this scenario alone. */
  readonly folder: string;
  /** The short form is asked for. */
  readonly short: boolean;
  readonly say: (text: string) => void;
}

/** Most destinations of one subscription. */
const DESTINATIONS_PER_SUBSCRIPTION = 100;

/** An installation for one scenario: a database, a Redis and a sandbox of its own, and processes that the scenario starts. */
export class FaultStage {
  readonly destinations: FaultDestination[] = [];
  readonly failures: string[] = [];
  readonly notes: string[] = [];
  private startedLoad: SteadyLoad | undefined;

  private constructor(
    private readonly parts: StageParts,
    private readonly database: string,
    /** Of the scenario's database. */
    readonly connectionString: string,
    /** Null on the Postgres backend. */
    readonly redis: FaultRedis | null,
    readonly sandbox: SandboxProcess,
    readonly crew: ServiceCrew,
    /** The admin's API key. */
    readonly token: string,
  ) {}

  static async open(parts: StageParts): Promise<FaultStage> {
    const { backend, postgres, folder } = parts;
    mkdirSync(folder, { recursive: true });
    const database = `faults_${randomBytes(6).toString('hex')}`;
    const connectionString = await postgres.createDatabase(database);
    const redis = backend === 'redis' ? await FaultRedis.open(join(folder, 'redis')) : null;
    const sandbox = await startSandboxProcess(false);
    const token = `faults_${randomBytes(24).toString('hex')}`;
    const settings = {
      ...sandbox.environment,
      DATABASE_URL: connectionString,
      // Empty is unset: a REDIS_URL of the environment must not reach the other backend.
      REDIS_URL: redis?.url ?? '',
      SECRETS_KEYS: `faults:${randomBytes(32).toString('base64')}`,
      BOOTSTRAP_API_KEY: token,
      // Two settings are not as they are by default. The load asks more often than a client may,
      RATE_LIMIT_PER_MINUTE: '0',
      // and an outage of a minute must not cost five more of waiting.
      DELIVERY_BACKOFF_CAP_MS: '5000',
    };
    const crew = new ServiceCrew(settings, folder);
    return new FaultStage(parts, database, connectionString, redis, sandbox, crew, token);
  }

  get backend(): Backend {
    return this.parts.backend;
  }

  get postgres(): FaultPostgres {
    return this.parts.postgres;
  }

  get folder(): string {
    return this.parts.folder;
  }

  get short(): boolean {
    return this.parts.short;
  }

  /** Name of the scenario's database. */
  get databaseName(): string {
    return this.database;
  }

  /** One figure for the full form, one for the short one. */
  pick(full: number, short: number): number {
    return this.parts.short ? short : full;
  }

  /** Says what is going on, on standard error. */
  say(text: string): void {
    this.parts.say(text);
  }

  /** Something that is said below the table: a figure that the count does not show. */
  note(text: string): void {
    this.notes.push(text);
  }

  /** Something that must be so, beside the count: the scenario fails where it is not. */
  expect(holds: boolean, text: string): void {
    if (holds) return;
    this.failures.push(text);
    this.say(`NOT SO: ${text}`);
  }

  /** A client of a process that serves the API. */
  get api(): ApiClient {
    const [url] = this.crew.apiUrls();
    if (url === undefined) throw new Error('No process serves the API.');
    return new ApiClient(url, this.token);
  }

  /** Runs a statement in the scenario's database, on a connection of its own. */
  query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return runStatement<Row>(this.connectionString, statement);
  }

  /**
   * Makes a destination through the API, at an address of its own.
   * @param target members of its target that are to be different
   */
  async createDestination(
    kind: TargetKind,
    target: Readonly<Record<string, unknown>> = {},
  ): Promise<FaultDestination> {
    const place = targetAt(kind, this.destinations.length + 1);
    const { id } = await this.api.create('/event_destinations', {
      target: { [kind]: { ...place.target, ...target } },
    });
    const destination = { id, kind, address: place.address };
    this.destinations.push(destination);
    return destination;
  }

  /** Makes a destination of each of these kinds and subscribes all that there are to what the load changes. */
  async subscribe(kinds: readonly TargetKind[] = []): Promise<void> {
    for (const kind of kinds) await this.createDestination(kind);
    const ids = this.destinations.map(({ id }) => id);
    for (let start = 0; start < ids.length; start += DESTINATIONS_PER_SUBSCRIPTION) {
      await this.api.create('/event_subscriptions', {
        sources: loadTypes.map((type) => ({ type })),
        destination_ids: ids.slice(start, start + DESTINATIONS_PER_SUBSCRIPTION),
      });
    }
  }

  /** Starts the steady load: so many changes a second. One load in a scenario. */
  async startLoad(perSecond: number, hot = 8): Promise<SteadyLoad> {
    const urls = () => this.crew.apiUrls();
    this.startedLoad = await SteadyLoad.start(urls, this.token, { perSecond, hot });
    return this.startedLoad;
  }

  get load(): SteadyLoad {
    if (!this.startedLoad) throw new Error('The scenario has no load.');
    return this.startedLoad;
  }

  /** Waits, while the load goes on, and says now and then how it is. */
  async pass(seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    for (;;) {
      const left = until - performance.now();
      if (left <= 0) return;
      await sleep(Math.min(left, 5_000));
      if (left > 5_000) this.say(this.startedLoad?.summary ?? 'waiting');
    }
  }

  /**
   * Waits until something more arrives at the sandbox: deliveries go on.
   * @throws Error when nothing does for a minute
   */
  async untilDelivering(): Promise<void> {
    const events = async () => (await this.sandbox.counts()).reduce((sum, one) => sum + one.events, 0);
    const before = await events();
    const deadline = Date.now() + 60_000;
    while ((await events()) <= before) {
      if (Date.now() > deadline) throw new Error('Nothing has been delivered for a minute.');
      await sleep(50);
    }
  }

  /**
   * The count that ends a scenario: stops the load, waits until everything that was published has arrived at the sandbox or
   * nothing more comes, and holds what arrived against the event log. An api must run.
   * @param destinations those that are counted; all unless told
   * @param rejected how many events the scenario has each target refuse for good
   */
  async prove(destinations: readonly FaultDestination[] = this.destinations, rejected = 0): Promise<Count> {
    await this.startedLoad?.stop();
    this.say(
      `the load is over: ${this.startedLoad?.summary ?? 'there was none'}; waiting for the rest to arrive`,
    );
    const ledger = await readLedger(this.api);
    await waitForArrival(this, destinations, ledger.events.size, rejected);
    const received = await this.sandbox.allReceived();
    const counts: DestinationCount[] = [];
    for (const destination of destinations) {
      const own = received.filter((event) => isFor(destination, event));
      const refused = await rejectedAt(this.api, destination.id);
      counts.push(countDestination(destination, own, ledger, refused));
    }
    const count = countAll(ledger, this.startedLoad?.tally.accepted ?? new Set(), counts);
    if (this.startedLoad) this.note(this.startedLoad.summary);
    if (count.published_unanswered > 0)
      this.note(`${count.published_unanswered} changes were made whose request got no good answer`);
    return count;
  }

  /** Ends every process and drops the database. */
  async close(): Promise<void> {
    await this.startedLoad?.stop();
    await this.crew.close();
    await this.sandbox.close();
    await this.redis?.close();
    await this.postgres.start();
    await this.postgres.dropDatabase(this.database);
  }
}
