import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import { freePort, startEmbeddedPostgres, type EmbeddedPostgres } from '@waybill/embedded-postgres';
import { allProcesses, treeOf } from '../../bench/cpu/proc.js';
import { benchLogger } from '../../bench/environment/bench-logger.js';

/** Two api and two worker processes side by side, each with its pools, and the queues of all of them. */
const MAX_CONNECTIONS = 300;

/** The Postgres of a run: a server that Waybill knows by its address. It can be stopped, killed and started again on its port. */
export class FaultPostgres {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly connectionString: string,
    private running: EmbeddedPostgres | null,
  ) {}

  /** Starts a server with its data below `folder`, as durable as a real one (fsync is on). */
  static async open(folder: string): Promise<FaultPostgres> {
    const dataFolder = join(folder, 'postgres');
    const port = await freePort();
    const server = await startServer(dataFolder, port);
    return new FaultPostgres(dataFolder, port, server.connectionString, server);
  }

  /** Makes an empty database; gives its connection string. */
  async createDatabase(name: string): Promise<string> {
    await this.query(`create database ${name}`);
    const url = new URL(this.connectionString);
    url.pathname = `/${name}`;
    return url.href;
  }

  async dropDatabase(name: string): Promise<void> {
    await this.query(`drop database if exists ${name} with (force)`);
  }

  /** Starts the server again on the same port, and waits until it answers queries: after a crash, until it has recovered. */
  async start(): Promise<void> {
    const start = (): Promise<EmbeddedPostgres> => startServer(this.folder, this.port);
    // Under load, the other processes of a killed server may outlast all tries of one start.
    this.running ??= await start().catch(start);
  }

  /** Ends every session and the server, as an administrator does (a fast shutdown). */
  async stop(): Promise<void> {
    const running = this.running;
    this.running = null;
    await running?.stop();
  }

  /** SIGKILL to its first process: nothing is written down, and the next start recovers. */
  async kill(): Promise<void> {
    const pid = await this.firstProcess();
    const running = this.running;
    this.running = null;
    process.kill(pid, 'SIGKILL');
    await running?.stop();
  }

  /**
   * SIGSTOP to all of its processes: every connection stays open and nothing is ever answered, and the system goes on accepting
   * connections in its name. What a machine that froze, or a network that swallows packets, looks like.
   */
  async pause(): Promise<void> {
    await this.signal('SIGSTOP');
  }

  /** SIGCONT. */
  async resume(): Promise<void> {
    await this.signal('SIGCONT');
  }

  private async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const first = await this.firstProcess();
    // The first one starts the others: once it stands still there are no new ones.
    process.kill(first, signal);
    for (const pid of treeOf(await allProcesses(), first)) {
      if (pid !== first) sendSignal(pid, signal);
    }
  }

  private async firstProcess(): Promise<number> {
    return Number.parseInt(await readFile(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  }

  /** Ends every connection to a database but our own; gives how many there were. */
  async terminateConnections(database: string): Promise<number> {
    const rows = await this.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`,
    );
    return rows.length;
  }

  /** Runs one statement on a connection of its own, as the superuser. */
  query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return runStatement<Row>(this.connectionString, statement);
  }
}

function startServer(folder: string, port: number): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ folder, port, maxConnections: MAX_CONNECTIONS, logger: benchLogger });
}

/** Sends a signal to a process that may have ended meanwhile. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Runs one statement on a connection of its own, so that no outage before it matters. */
export async function runStatement<Row extends QueryResultRow>(
  connectionString: string,
  statement: string,
): Promise<readonly Row[]> {
  const client = new Client({ connectionString });
  // The server may end this connection; the statement's own error is what counts.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
