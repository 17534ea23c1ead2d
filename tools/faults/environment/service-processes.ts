import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@waybill/embedded-postgres';
import type { Program } from '../../harness/program.js';
import { serviceProgram } from '../../harness/service-process.js';
import { until } from '../../harness/until.js';

/** Role of a process; `service` has both. A second process of a role has a number: `worker-2`. */
export type Role = 'api' | 'worker' | 'service';
export type ProcessName = Role | `${Role}-${number}`;

/** How a process is started. */
export interface StartOptions {
  /** Settings that override those of the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
  /** Wait until the process is ready. Default: true. */
  readonly wait?: boolean;
}

const rolesOf = { api: 'api', worker: 'worker', service: 'api,worker' } as const satisfies Record<Role, string>;

function roleOf(name: string): Role {
  if (name.startsWith('api')) return 'api';
  return name.startsWith('worker') ? 'worker' : 'service';
}

/** Processes of a scenario, by name: those of Waybill, which keep their port when they restart, and others. */
export class ServiceProcesses {
  private readonly running = new Map<string, Program>();
  private readonly readyProcesses = new Set<Program>();
  private readonly ports = new Map<ProcessName, string>();

  constructor(
    private readonly settings: Readonly<Record<string, string>>,
    private readonly folder: string,
  ) {}

  /**
   * Starts a process.
   * @throws Error if it is already running, exits, or is not ready within ten minutes
   */
  async start(name: ProcessName, options: StartOptions = {}): Promise<void> {
    const port = this.ports.get(name) ?? String(await freePort());
    this.ports.set(name, port);
    const settings = {
      ...this.settings,
      ROLES: rolesOf[roleOf(name)],
      INSTANCE_NAME: name,
      PORT: port,
      ...options.settings,
    };
    const service = await serviceProgram(settings, this.logFile(name), options.nodeOptions);
    this.add(name, service);
    const ready = this.untilReady(service);
    if (options.wait !== false) await ready;
    // The caller may await `ready` later. A process killed before that never becomes ready.
    else ready.catch(() => {});
  }

  /**
   * Starts a program beside Waybill, and does not wait.
   * @throws Error if it is already running
   */
  add(name: string, program: Program): void {
    if (this.running.has(name)) throw new Error(`${name} is already running.`);
    program.spawn();
    this.running.set(name, program);
    void this.forgetWhenEnded(name, program);
  }

  /** SIGTERM, as in a deploy. Waits for the exit and returns the code. */
  async stop(name: string): Promise<number | null> {
    const service = this.get(name);
    // A paused process does not receive SIGTERM.
    service.signal('SIGCONT');
    const code = await service.stop();
    this.running.delete(name);
    return code;
  }

  /** SIGKILL. Waits for the exit. */
  async kill(name: string): Promise<void> {
    const service = this.get(name);
    await service.kill();
    this.running.delete(name);
  }

  /** SIGKILL, then a new start. */
  async killAndStart(name: ProcessName, options: StartOptions = {}): Promise<void> {
    await this.kill(name);
    await this.start(name, options);
  }

  /** Waits until a process is ready. */
  ready(name: string): Promise<void> {
    return this.get(name).ready();
  }

  /** Waits for the exit of a process and returns the code; null after a signal. */
  exited(name: string): Promise<number | null> {
    return this.get(name).exited;
  }

  /** Sends a signal that does not end the process. */
  signal(name: string, signal: 'SIGUSR2'): void {
    this.get(name).signal(signal);
  }

  /** Returns the log lines of a process that contain a text. */
  async logged(name: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const lines = (await readFile(this.logFile(name), 'utf8')).split('\n');
    return lines
      .filter((line) => line.startsWith('{') && line.includes(text))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** SIGSTOP: the process stands still and its connections stay open. */
  pause(name: string): void {
    this.get(name).signal('SIGSTOP');
  }

  /**
   * Waits until a process stands still, which stops itself.
   * @throws Error if it has not done so within five minutes
   */
  async stopped(name: string): Promise<void> {
    const { pid } = this.get(name);
    const status = (): Promise<string> => readFile(`/proc/${pid}/status`, 'utf8');
    await until(async () => /^State:\tT/m.test(await status()), `${name} stops itself`);
  }

  /** SIGCONT. */
  resume(name: string): void {
    this.get(name).signal('SIGCONT');
  }

  isRunning(name: string): boolean {
    return this.running.has(name);
  }

  /** Addresses of the api processes that are ready, as a load balancer knows them. */
  apiUrls(): readonly string[] {
    return Array.from(this.running).flatMap(([name, service]) =>
      roleOf(name) === 'worker' || !this.readyProcesses.has(service) ? [] : [service.baseUrl],
    );
  }

  /** Address of a process. */
  url(name: string): string {
    return this.get(name).baseUrl;
  }

  /** Log file of a process, kept over restarts. */
  logFile(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  /** SIGTERM to all processes, and SIGKILL after 30 seconds. */
  async close(): Promise<void> {
    await Promise.all(
      Array.from(this.running.values(), async (service) => {
        service.signal('SIGCONT');
        const kill = setTimeout(() => service.signal('SIGKILL'), 30_000);
        await service.stop();
        clearTimeout(kill);
      }),
    );
  }

  private async untilReady(service: Program): Promise<void> {
    await service.ready();
    this.readyProcesses.add(service);
  }

  private async forgetWhenEnded(name: string, service: Program): Promise<void> {
    await service.exited;
    if (this.running.get(name) === service) this.running.delete(name);
  }

  private get(name: string): Program {
    const service = this.running.get(name);
    if (!service) throw new Error(`${name} is not running.`);
    return service;
  }
}
