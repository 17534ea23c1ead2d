import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnService, freePort, type ServiceProcess } from '../../demo/service-process.js';

/** What a process does; a second one of the same kind has a number: `worker-2`. A `service` does both. */
export type Role = 'api' | 'worker' | 'service';
export type ProcessName = Role | `${Role}-${number}`;

/** How a process is started. */
export interface StartOptions {
  /** Settings that win over those of the stage. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** Whether to wait until it is ready; true unless told. */
  readonly wait?: boolean;
}

const rolesOf = { api: 'api', worker: 'worker', service: 'api,worker' } as const satisfies Record<
  Role,
  string
>;

function roleOf(name: ProcessName): Role {
  if (name.startsWith('api')) return 'api';
  return name.startsWith('worker') ? 'worker' : 'service';
}

/** The processes of Waybill in a scenario, by name. A name keeps its port, as behind a supervisor that starts it again. */
export class ServiceCrew {
  private readonly running = new Map<ProcessName, ServiceProcess>();
  private readonly readyProcesses = new Set<ServiceProcess>();
  private readonly ports = new Map<ProcessName, string>();

  constructor(
    private readonly settings: Readonly<Record<string, string>>,
    private readonly folder: string,
  ) {}

  /**
   * Starts a process.
   * @throws Error when it runs already, ends, or is not ready within 90 seconds
   */
  async start(name: ProcessName, options: StartOptions = {}): Promise<void> {
    if (this.running.has(name)) throw new Error(`${name} runs already.`);
    const port = this.ports.get(name) ?? String(await freePort());
    this.ports.set(name, port);
    const settings = {
      ...this.settings,
      ROLES: rolesOf[roleOf(name)],
      INSTANCE_NAME: name,
      PORT: port,
      ...options.settings,
    };
    const service = await spawnService(settings, this.logFile(name), options.nodeOptions);
    this.running.set(name, service);
    void this.forgetWhenEnded(name, service);
    const ready = this.untilReady(service);
    if (options.wait !== false) await ready;
    // Whoever did not wait asks again; one that is killed meanwhile never is.
    else ready.catch(() => {});
  }

  /** SIGTERM, as in a deploy. Waits until it has ended; gives its exit code. */
  async stop(name: ProcessName): Promise<number | null> {
    const service = this.get(name);
    // A stopped one would not hear it.
    service.process.kill('SIGCONT');
    const code = await service.stop();
    this.running.delete(name);
    return code;
  }

  /** SIGKILL. Waits until it has ended. */
  async kill(name: ProcessName): Promise<void> {
    const service = this.get(name);
    service.process.kill('SIGKILL');
    await service.exited;
    this.running.delete(name);
  }

  /** SIGKILL, and starts it again. */
  async killAndStart(name: ProcessName, options: StartOptions = {}): Promise<void> {
    await this.kill(name);
    await this.start(name, options);
  }

  /** Waits until a process that was started without waiting is ready. */
  ready(name: ProcessName): Promise<void> {
    return this.get(name).ready();
  }

  /** The exit code of a process that ends by itself. */
  exited(name: ProcessName): Promise<number | null> {
    return this.get(name).exited;
  }

  /** Sends a process a signal that does not end it. */
  signal(name: ProcessName, signal: 'SIGUSR2'): void {
    this.get(name).process.kill(signal);
  }

  /** Lines of the log of a process that are messages with this text. */
  async logged(name: ProcessName, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const lines = (await readFile(this.logFile(name), 'utf8')).split('\n');
    return lines
      .filter((line) => line.startsWith('{') && line.includes(text))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** SIGSTOP: it does nothing, and its connections stay open. */
  pause(name: ProcessName): void {
    this.get(name).process.kill('SIGSTOP');
  }

  /** SIGCONT. */
  resume(name: ProcessName): void {
    this.get(name).process.kill('SIGCONT');
  }

  isRunning(name: ProcessName): boolean {
    return this.running.has(name);
  }

  /** The processes that run. */
  names(): readonly ProcessName[] {
    return Array.from(this.running.keys());
  }

  /** Where the API is served now, by every process that has been ready since it was started: what a balancer would know. */
  apiUrls(): readonly string[] {
    return Array.from(this.running).flatMap(([name, service]) =>
      roleOf(name) === 'worker' || !this.readyProcesses.has(service) ? [] : [service.baseUrl],
    );
  }

  /** Where a process listens. */
  url(name: ProcessName): string {
    return this.get(name).baseUrl;
  }

  /** The log of a process, of all its lives. */
  logFile(name: ProcessName): string {
    return join(this.folder, `${name}.log`);
  }

  /** SIGTERM to all of them; what does not end within half a minute is killed. */
  async close(): Promise<void> {
    await Promise.all(
      Array.from(this.running.values(), async (service) => {
        service.process.kill('SIGCONT');
        const impatience = setTimeout(() => service.process.kill('SIGKILL'), 30_000);
        await service.stop();
        clearTimeout(impatience);
      }),
    );
  }

  private async untilReady(service: ServiceProcess): Promise<void> {
    await service.ready();
    this.readyProcesses.add(service);
  }

  private async forgetWhenEnded(name: ProcessName, service: ServiceProcess): Promise<void> {
    await service.exited;
    if (this.running.get(name) === service) this.running.delete(name);
  }

  private get(name: ProcessName): ServiceProcess {
    const service = this.running.get(name);
    if (!service) throw new Error(`${name} does not run.`);
    return service;
  }
}
