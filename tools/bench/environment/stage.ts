import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { readConfig } from '../../../src/config/config.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { Dispatcher } from '../../../src/delivery/dispatch/dispatcher.js';
import { LaneStore } from '../../../src/delivery/lanes/lane-store.js';
import { openQueues, type Queues } from '../../../src/delivery/queues/queues.js';
import { targetLimits } from '../../../src/targets/registry.js';
import { ApiClient } from '../../demo/api-client.js';
import { startService, type ServiceProcess } from '../../demo/service-process.js';
import type { Backend } from '../result.js';
import { benchLogger } from './bench-logger.js';
import type { Ground } from './environment.js';
import type { SandboxProcess } from './sandbox.js';

export type Role = 'api' | 'worker';

/** What a stage is opened with. */
export interface StageOptions {
  readonly backend: Backend;
  readonly sandbox: SandboxProcess;
  /** Folder for CPU profiles of its processes, or null. */
  readonly profile: string | null;
}

/**
 * An installation of Waybill for one bench: a database and a queue prefix of its own, so that no bench finds what another left
 * behind. Each role runs in a process of its own, with the settings that it has by default.
 */
export class Stage {
  private readonly running = new Map<Role, ServiceProcess>();
  private dispatching: { readonly queues: Queues; readonly dispatcher: Dispatcher } | undefined;

  private constructor(
    readonly ground: Ground,
    readonly options: StageOptions,
    readonly prefix: string,
    readonly connectionString: string,
    private readonly settings: Readonly<Record<string, string>>,
    readonly token: string,
    readonly db: Database,
    readonly pool: Pool,
  ) {}

  /** Makes the database and starts the api, which migrates it. */
  static async open(ground: Ground, options: StageOptions): Promise<Stage> {
    const prefix = `bench_${randomBytes(6).toString('hex')}`;
    const connectionString = await ground.postgres.createDatabase(prefix);
    const token = `bench_${randomBytes(24).toString('hex')}`;
    const redisUrl = options.backend === 'redis' ? ground.redis?.url : undefined;
    const settings = {
      ...options.sandbox.environment,
      DATABASE_URL: connectionString,
      // Empty is unset: a REDIS_URL of the environment must not reach the other backend.
      REDIS_URL: redisUrl ?? '',
      QUEUE_PREFIX: prefix,
      SECRETS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      BOOTSTRAP_API_KEY: token,
      RATE_LIMIT_PER_MINUTE: '0',
    };
    const opened = openDatabase({
      connectionString,
      poolSize: 4,
      applicationName: 'waybill bench',
      logger: benchLogger,
    });
    const { db, pool } = opened;
    const stage = new Stage(ground, options, prefix, connectionString, settings, token, db, pool);
    try {
      await stage.start('api');
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  /** Starts a role, and waits until it is ready. */
  async start(role: Role): Promise<void> {
    const { profile } = this.options;
    if (profile !== null) mkdirSync(profile, { recursive: true });
    const name = `${this.prefix}-${role}`;
    const nodeOptions =
      profile === null
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`];
    const logFile = join(this.ground.folder, `${name}.log`);
    const service = await startService({ ...this.settings, ROLES: role }, logFile, nodeOptions);
    this.ground.services.add(service);
    this.running.set(role, service);
  }

  async stop(role: Role): Promise<void> {
    const running = this.running.get(role);
    this.running.delete(role);
    if (!running) return;
    await running.stop();
    this.ground.services.delete(running);
  }

  /** The address of the running api. */
  get apiUrl(): string {
    const api = this.running.get('api');
    if (!api) throw new Error('The api does not run.');
    return api.baseUrl;
  }

  get client(): ApiClient {
    return new ApiClient(this.apiUrl, this.token);
  }

  /** The number of a running process. */
  pid(role: Role): number | null {
    return this.running.get(role)?.process.pid ?? null;
  }

  /** Every process that a measurement on this stage is about, by name. */
  processes(): Record<string, number | null> {
    const { ground, options } = this;
    return {
      ...(this.running.has('api') && { api: this.pid('api') }),
      ...(this.running.has('worker') && { worker: this.pid('worker') }),
      sandbox: options.sandbox.pid,
      postgres: ground.postgres.pid,
      ...(options.backend === 'redis' && { redis: ground.redis?.pid ?? null }),
    };
  }

  /** The dispatcher of this process, for events that the bench itself wrote: it does what the api does after a commit. */
  async dispatcher(): Promise<Dispatcher> {
    this.dispatching ??= await this.openDispatcher();
    return this.dispatching.dispatcher;
  }

  private async openDispatcher() {
    const config = readConfig(this.settings);
    const store = {
      db: this.db,
      pool: this.pool,
      connectionString: this.connectionString,
      close: () => Promise.resolve(),
    };
    const queues = await openQueues(config, store, benchLogger);
    await queues.queue('data_stream').waitUntilReady();
    return { queues, dispatcher: new Dispatcher(new LaneStore(this.db, targetLimits), queues, benchLogger) };
  }

  /** Stops every process and drops the database. */
  async close(): Promise<void> {
    await Promise.all([this.stop('api'), this.stop('worker')]);
    if (this.dispatching) {
      await this.dispatching.dispatcher.idle();
      // What a bench left in a Redis that may be somebody else's.
      await Promise.all(this.dispatching.queues.all().map((queue) => queue.obliterate({ force: true })));
      await this.dispatching.queues.close();
    }
    // Not `db.destroy()`, which leaves a pool alone that Kysely itself has not used.
    await this.pool.end();
    await this.ground.postgres.dropDatabase(this.prefix);
    await this.options.sandbox.clear();
  }
}
