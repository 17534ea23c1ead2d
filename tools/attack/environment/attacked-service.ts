import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/embedded-postgres';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { OperatorAccounts } from '../../../src/operator-accounts.js';
import { FaultPostgres } from '../../faults/environment/fault-postgres.js';
import { ScenarioEnvironment } from '../../faults/environment/scenario-environment.js';
import { toolLogger } from '../../harness/logger.js';
import { Watch, type Watched } from './watched.js';

/** What a time of the service was like, for itself and for others. */
export interface Measured extends Watched {
  /** Longest turn of the event loop, in CPU time of the main thread; null if the process ended. */
  readonly longestTurnMs: number | null;
  /** Most resident memory, in megabytes; null if the process ended. */
  readonly memoryMb: number | null;
}

const NAME = 'service';
const turns = fileURLToPath(new URL('../processes/turns.js', import.meta.url));

/** The settings of the fault suite back to the defaults: an empty setting counts as unset. */
const DEFAULT_LIMITS = { RATE_LIMIT_PER_MINUTE: '', QUOTAS: '', DELIVERY_BACKOFF_CAP_MS: '' };

/** Longest wait for the figures of the process, and for the end of what an attack left behind. */
const PATIENCE_MS = 60_000;
/** Length of the undisturbed measurement. */
const QUIET_MS = 1_500;

/** A built service with the roles api and worker, and the processes around it: Postgres, sandbox and watch. */
export class AttackedService {
  private quietFigures: Watched | undefined;
  private settings: Readonly<Record<string, string>> = {};

  private constructor(
    private readonly postgres: FaultPostgres,
    readonly scenario: ScenarioEnvironment,
    private readonly database: Database,
    private readonly dataPlanePort: number,
    /** Key of the data-plane API. */
    readonly dataPlaneKey: string,
    private watch: Watch | undefined,
  ) {}

  static async open(folder: string, log: (text: string) => void): Promise<AttackedService> {
    const postgres = await FaultPostgres.open(folder);
    const scenario = await ScenarioEnvironment.open({ backend: 'postgres', postgres, folder, short: false, log });
    const database = openDatabase({
      connectionString: scenario.connectionString,
      poolSize: 2,
      applicationName: 'waybill attack',
      logger: toolLogger,
    }).db;
    const key = `attack_${randomBytes(24).toString('hex')}`;
    const service = new AttackedService(postgres, scenario, database, await freePort(), key, undefined);
    await service.start({});
    const { token } = await service.createAccount('neighbour');
    service.watch = Watch.open(service.baseUrl, token);
    // The first requests compile what the service runs.
    await sleep(QUIET_MS);
    await service.watch.take();
    await sleep(QUIET_MS);
    service.quietFigures = await service.watch.take();
    return service;
  }

  get baseUrl(): string {
    return this.scenario.processes.url(NAME);
  }

  get dataPlaneUrl(): string {
    return `http://127.0.0.1:${this.dataPlanePort}`;
  }

  get isRunning(): boolean {
    return this.scenario.processes.isRunning(NAME);
  }

  get logFile(): string {
    return this.scenario.processes.logFile(NAME);
  }

  /** Undisturbed figures. */
  get quiet(): Watched {
    if (!this.quietFigures) throw new Error('The service was not measured.');
    return this.quietFigures;
  }

  /** Starts the service where it has ended, or runs with other settings. */
  async use(settings: Readonly<Record<string, string>>): Promise<void> {
    const isSame = JSON.stringify(settings) === JSON.stringify(this.settings);
    if (this.isRunning && isSame) return;
    if (this.isRunning) await this.scenario.processes.stop(NAME);
    await this.start(settings);
  }

  /** Creates an account. Returns its id and the API key of its admin. */
  createAccount(name: string): Promise<{ readonly accountId: string; readonly token: string }> {
    return new OperatorAccounts(this.database, this.baseUrl).create(name);
  }

  /** Runs an attack, waits until the service is quiet again, and returns what it was like. */
  async measure(attack: () => Promise<void>): Promise<Measured> {
    await this.figures();
    await this.watch?.take();
    await attack();
    const watched = await this.settle();
    return { ...watched, ...(await this.figures()) };
  }

  async close(): Promise<void> {
    await this.watch?.close();
    await this.database.destroy();
    await this.scenario.close();
    await this.postgres.stop();
  }

  private async start(settings: Readonly<Record<string, string>>): Promise<void> {
    this.settings = settings;
    const dataPlane = { DATA_PLANE_KEY: this.dataPlaneKey, DATA_PLANE_PORT: String(this.dataPlanePort) };
    await this.scenario.processes.start(NAME, {
      settings: { ...DEFAULT_LIMITS, ...dataPlane, ...settings },
      nodeOptions: ['--import', turns],
    });
  }

  /** Waits until no request of the others waits any more. Returns all of them since the last measurement. */
  private async settle(): Promise<Watched> {
    if (!this.watch) throw new Error('Nothing watches the service.');
    let all = await this.watch.take();
    for (const until = Date.now() + PATIENCE_MS; this.isRunning && Date.now() < until;) {
      await sleep(300);
      const next = await this.watch.take();
      all = { live: together(all.live, next.live), neighbour: together(all.neighbour, next.neighbour) };
      if (next.live.longestMs + next.neighbour.longestMs < 1_000) break;
    }
    return all;
  }

  /** Asks the process for its figures since the last time; null where it has ended. */
  private async figures(): Promise<Pick<Measured, 'longestTurnMs' | 'memoryMb'>> {
    const { processes } = this.scenario;
    const lines = async () => processes.logged(NAME, '"msg":"turns"');
    const before = (await lines()).length;
    if (this.isRunning) processes.signal(NAME, 'SIGUSR2');
    for (const until = Date.now() + PATIENCE_MS; this.isRunning && Date.now() < until; await sleep(20)) {
      const line = (await lines())[before];
      if (line) return { longestTurnMs: Number(line['longest_ms']), memoryMb: Number(line['memory_mb']) };
    }
    return { longestTurnMs: null, memoryMb: null };
  }
}

function together(one: Watched['live'], other: Watched['live']): Watched['live'] {
  const statuses = { ...one.statuses };
  for (const [status, count] of Object.entries(other.statuses))
    statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  return { longestMs: Math.max(one.longestMs, other.longestMs), statuses };
}
