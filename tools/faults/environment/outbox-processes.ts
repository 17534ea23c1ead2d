import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Program } from '../../harness/program.js';

const publisher = fileURLToPath(new URL('../processes/outbox-publisher.js', import.meta.url));
const stopAtResponse = new URL('../processes/stop-at-response.js', import.meta.url).href;
const cli = join(fileURLToPath(import.meta.resolve('@waybill/outbox')), '../cli.js');

/** Processes beside Waybill: the application that records events, and the relays of its outbox. */
export class OutboxProcesses {
  private readonly running = new Map<string, Program>();

  constructor(
    private readonly settings: Readonly<Record<string, string>>,
    private readonly folder: string,
  ) {}

  /** Starts the application. @param changes its number of committed changes; by default it ends when it is killed */
  startPublisher(name: string, changes?: number): void {
    this.start(name, [publisher], changes === undefined ? {} : { CHANGES: String(changes) });
  }

  /** Starts a relay. */
  startRelay(name: string): void {
    this.start(name, ['--import', stopAtResponse, cli, 'relay', '--lease-ms', '3000'], {});
  }

  /**
   * Waits until a relay has the lease.
   * @throws Error after five minutes
   */
  async publishes(name: string): Promise<void> {
    const deadline = Date.now() + 300_000;
    while (!(await readFile(this.logFile(name), 'utf8')).includes('"outbox relay publishes"')) {
      if (Date.now() > deadline) throw new Error(`${name} did not get the lease within five minutes.`);
      await sleep(50);
    }
  }

  /** SIGKILL. Waits for the exit. */
  async kill(name: string): Promise<void> {
    this.get(name).signal('SIGKILL');
    await this.ended(name);
  }

  /** Waits for the exit of a process, and returns the code; null after a signal. */
  async ended(name: string): Promise<number | null> {
    const code = await this.get(name).exited;
    this.running.delete(name);
    return code;
  }

  /**
   * Kills a relay when it has read the head of an answer, and has not handled it.
   * @returns false if the relay read no answer within the time
   */
  async killAtAnswer(name: string, withinMs: number): Promise<boolean> {
    const { pid } = this.get(name);
    this.get(name).signal('SIGUSR2');
    const deadline = Date.now() + withinMs;
    let stopped = false;
    while (!stopped && Date.now() < deadline) {
      await sleep(20);
      stopped = /^State:\tT/m.test(await readFile(`/proc/${pid}/status`, 'utf8'));
    }
    await this.kill(name);
    return stopped;
  }

  /** SIGTERM to all. Returns their exit codes. */
  async stop(): Promise<readonly (number | null)[]> {
    const names = [...this.running.keys()];
    for (const name of names) this.get(name).signal('SIGTERM');
    return Promise.all(names.map((name) => this.ended(name)));
  }

  /** SIGKILL to all. */
  async close(): Promise<void> {
    await Promise.all([...this.running.keys()].map((name) => this.kill(name)));
  }

  private start(name: string, args: readonly string[], settings: Readonly<Record<string, string>>): void {
    if (this.running.has(name)) throw new Error(`${name} is already running.`);
    const environment = { ...this.settings, ...settings };
    const program = new Program({ name, args, settings: environment, logFile: this.logFile(name) });
    program.spawn();
    this.running.set(name, program);
  }

  private logFile(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  private get(name: string): Program {
    const child = this.running.get(name);
    if (!child) throw new Error(`${name} is not running.`);
    return child;
  }
}
