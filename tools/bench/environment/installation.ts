import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Pool } from 'pg';
import { readConfig } from '../../../src/config/config.js';
import { processProviders } from '../../../src/config/config.providers.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { databaseProviders } from '../../../src/database/database.providers.js';
import { DELIVERY_OBSERVER, unobserved } from '../../../src/delivery/delivery-observer.js';
import { deliveryProviders } from '../../../src/delivery/delivery.providers.js';
import { Dispatcher } from '../../../src/delivery/dispatch/dispatcher.js';
import { QUEUES, type Queues } from '../../../src/delivery/queues/queues.js';
import { Lifecycle } from '../../../src/lifecycle/lifecycle.js';
import { provide } from '../../../src/lifecycle/provide.js';
import { ApiClient } from '../../harness/api-client.js';
import { toolLogger } from '../../harness/logger.js';
import type { Backend } from '../../harness/options.js';
import type { Program } from '../../harness/program.js';
import type { SandboxProcess } from '../../harness/sandbox-process.js';
import { startService } from '../../harness/service-process.js';
import { serviceSettings } from '../../harness/service-settings.js';
import { Load, type LoadWork } from '../load/load.js';
import type { BenchEnvironment } from './environment.js';

export type Role = 'api' | 'worker';

/** The headers of a request without an API key. */
export const bareHeaders: Readonly<Record<string, string>> = { 'user-agent': 'waybill-bench' };

@Module({})
class DispatcherModule {}

/** Options of an installation. */
export interface InstallationOptions {
  readonly backend: Backend;
  readonly sandbox: SandboxProcess;
  /** Folder for CPU profiles of its processes; null: no profiles. */
  readonly profile: string | null;
}

/**
 * Installation of Waybill for one bench, with its own database and queue prefix. Each role runs in its own process with
 * default settings.
 */
export class Installation {
  private readonly running = new Map<Role, Program>();
  private dispatching:
    | { readonly lifecycle: Lifecycle; readonly queues: Queues; readonly dispatcher: Dispatcher }
    | undefined;
  /** What is closed with the installation, the last one first. */
  readonly opened: { close(): void | Promise<void> }[] = [];

  private constructor(
    readonly environment: BenchEnvironment,
    readonly options: InstallationOptions,
    readonly prefix: string,
    readonly connectionString: string,
    private readonly settings: Readonly<Record<string, string>>,
    readonly token: string,
    readonly db: Database,
    readonly pool: Pool,
  ) {}

  /** Creates the database and starts the api, which migrates it. */
  static async open(environment: BenchEnvironment, options: InstallationOptions): Promise<Installation> {
    const prefix = `bench_${randomBytes(6).toString('hex')}`;
    const connectionString = await environment.postgres.createDatabase(prefix);
    const token = `bench_${randomBytes(24).toString('hex')}`;
    const settings = {
      ...serviceSettings({
        sandbox: options.sandbox,
        connectionString,
        redisUrl: options.backend === 'redis' ? environment.redis?.url : undefined,
        token,
      }),
      QUEUE_PREFIX: prefix,
    };
    const opened = openDatabase({
      connectionString,
      poolSize: 4,
      applicationName: 'waybill bench',
      logger: toolLogger,
    });
    const { db, pool } = opened;
    const installation = new Installation(environment, options, prefix, connectionString, settings, token, db, pool);
    try {
      await installation.start('api');
      return installation;
    } catch (error) {
      await installation.close();
      throw error;
    }
  }

  /** Starts a process and waits until it is ready. */
  async start(role: Role): Promise<void> {
    const { profile } = this.options;
    if (profile !== null) mkdirSync(profile, { recursive: true });
    const name = `${this.prefix}-${role}`;
    const nodeOptions =
      profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`];
    const logFile = join(this.environment.folder, `${name}.log`);
    const service = await startService({ ...this.settings, ROLES: role }, logFile, nodeOptions);
    this.environment.services.add(service);
    this.running.set(role, service);
  }

  async stop(role: Role): Promise<void> {
    const running = this.running.get(role);
    this.running.delete(role);
    if (!running) return;
    await running.stop();
    this.environment.services.delete(running);
  }

  /** Ends a process at once. */
  async kill(role: Role): Promise<void> {
    const running = this.running.get(role);
    this.running.delete(role);
    if (!running) return;
    await running.kill();
    this.environment.services.delete(running);
  }

  /** Address of the running api. */
  get apiUrl(): string {
    const api = this.running.get('api');
    if (!api) throw new Error('The api is not running.');
    return api.baseUrl;
  }

  /** Most connections of an api to Postgres, for the processes that are compared with it. */
  get poolSize(): number {
    return readConfig(this.settings).DATABASE_POOL_SIZE;
  }

  /** The headers that a client sends with every request. */
  get headers(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.token}`, 'service-version': '2', ...bareHeaders };
  }

  /** Opens a load, which is closed with the installation. */
  async openLoad(work?: LoadWork, baseUrl = this.apiUrl, headers = this.headers): Promise<Load> {
    const load = await Load.open(baseUrl, headers, work);
    this.opened.push(load);
    return load;
  }

  get client(): ApiClient {
    return new ApiClient(this.apiUrl, this.token);
  }

  /** Process id of a role, or null if it is not running. */
  pid(role: Role): number | null {
    return this.running.get(role)?.pid ?? null;
  }

  /** Process ids by name, for a measurement of CPU use. */
  pids(): Record<string, number | null> {
    const { environment, options } = this;
    return {
      ...(this.running.has('api') && { api: this.pid('api') }),
      ...(this.running.has('worker') && { worker: this.pid('worker') }),
      sandbox: options.sandbox.pid,
      postgres: environment.postgres.pid,
      ...(options.backend === 'redis' && { redis: environment.redis?.pid ?? null }),
    };
  }

  /** Dispatcher for events that the bench wrote itself: notifies the lanes, as the api does after a commit. */
  async dispatcher(): Promise<Dispatcher> {
    this.dispatching ??= await this.openDispatcher();
    return this.dispatching.dispatcher;
  }

  private async openDispatcher() {
    const config = readConfig({ ...this.settings, DATABASE_POOL_SIZE: '4' });
    const lifecycle = new Lifecycle();
    const root = {
      module: DispatcherModule,
      providers: [
        ...processProviders(config, toolLogger, lifecycle),
        ...databaseProviders,
        ...deliveryProviders,
        provide(DELIVERY_OBSERVER, [], () => unobserved),
      ],
    };
    const graph = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    const queues = graph.get<Queues>(QUEUES);
    await queues.queue('data_stream').waitUntilReady();
    return { lifecycle, queues, dispatcher: graph.get(Dispatcher) };
  }

  /** Closes what was opened, stops every process and drops the database. */
  async close(): Promise<void> {
    try {
      for (const one of this.opened.toReversed()) await one.close();
    } finally {
      await this.end();
    }
  }

  private async end(): Promise<void> {
    await Promise.all([this.stop('api'), this.stop('worker')]);
    if (this.dispatching) {
      const { lifecycle, queues, dispatcher } = this.dispatching;
      await dispatcher.idle();
      // The Redis of REDIS_URL may be shared.
      await Promise.all(queues.all().map((queue) => queue.obliterate({ force: true })));
      await lifecycle.close();
    }
    // `db.destroy()` does not end a pool that Kysely has not used.
    await this.pool.end();
    await this.environment.postgres.dropDatabase(this.prefix);
    await this.options.sandbox.clear();
  }
}
