import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startWithParent, type GuardedProcess } from '@waybill/embedded-postgres';

/** The settings of docker-compose.yml: data survives a restart, and no key is evicted. */
const DURABLE = ['--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];

/** Returns the path of `redis-server` or `valkey-server`, or null. */
function findRedisProgram(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = ['redis-server', 'valkey-server'].flatMap((name) => folders.map((one) => join(one, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/** A Redis process that can be stopped and started again, with the same port and data. */
export class RedisServer {
  private startedProcess: GuardedProcess | undefined;

  private constructor(
    readonly program: string,
    private readonly folder: string,
    private readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** Starts Redis on a free port. Returns null without a program in the PATH. */
  static async open(folder: string, settings: readonly string[] = DURABLE): Promise<RedisServer | null> {
    const program = findRedisProgram();
    if (program === null) return null;
    const server = new RedisServer(program, folder, await freePort(), settings);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get running(): boolean {
    const server = this.startedProcess;
    return server !== undefined && server.exitCode === null && server.signalCode === null;
  }

  /**
   * Starts the process and waits until it accepts connections.
   * @throws Error if it exits first
   */
  async start(): Promise<void> {
    if (this.running) return;
    const { folder, port, settings } = this;
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings];
    const server = startWithParent(this.program, args, { cwd: folder, endSignal: 'TERM' });
    this.startedProcess = server;
    server.stdout.resume();
    server.stderr.resume();
    while (!(await accepts(port))) {
      if (!this.running)
        throw new Error(`${this.program} exited with ${server.exitCode} before it accepted connections.`);
      await sleep(25);
    }
  }

  /** Stops the process, which saves its data, and waits. */
  async stop(): Promise<void> {
    const server = this.startedProcess;
    if (!server || !this.running) return;
    const ended = once(server, 'exit');
    server.stdin.end();
    await ended;
  }

  /** Waits until the process exits on its own or by a signal. */
  async ended(): Promise<void> {
    if (this.startedProcess && this.running) await once(this.startedProcess, 'exit');
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port });
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return accepted;
}
