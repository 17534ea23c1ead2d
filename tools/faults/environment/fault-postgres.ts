import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { serverAccount } from '../../../src/database/embedded/account.js';
import { findBinaries, type PostgresBinaries } from '../../../src/database/embedded/binaries.js';
import {
  CLUSTER_NAME,
  clusterFolder,
  ensureCluster,
  onCluster,
} from '../../../src/database/embedded/cluster.js';
import { freePort } from '../../../src/database/embedded/free-port.js';
import { runServer, type RunningServer, type ServerOptions } from '../../../src/database/embedded/server.js';
import { allProcesses, treeOf } from '../../bench/cpu/proc.js';
import { benchLogger } from '../../bench/environment/bench-logger.js';

/** Two api and two worker processes side by side, each with its pools, and the queues of all of them. */
const MAX_CONNECTIONS = 300;
/** A server whose first process was killed leaves others, which need a moment to see that it is gone. */
const START_TRIES = 10;

/** The Postgres of a run, a server that Waybill only knows by its address: it may be stopped, killed and started again. */
export class FaultPostgres {
  private constructor(
    private readonly binaries: PostgresBinaries,
    private readonly options: ServerOptions,
    private running: RunningServer | null,
  ) {}

  /** Makes one with its data below `folder`, as durable as a real one (fsync is on), and starts it. */
  static async open(folder: string): Promise<FaultPostgres> {
    const dataDir = join(folder, 'postgres');
    await mkdir(dataDir, { recursive: true });
    const cluster = clusterFolder(dataDir);
    const account = await serverAccount(cluster);
    const binaries = await findBinaries(dataDir, account);
    const password = await ensureCluster(dataDir, binaries, account, benchLogger);
    const port = await freePort();
    const options: ServerOptions = {
      binaries,
      place: onCluster(cluster, account),
      settings: {
        listen_addresses: '127.0.0.1',
        port,
        unix_socket_directories: '',
        max_connections: MAX_CONNECTIONS,
        logging_collector: 'off',
      },
      connectionString: `postgresql://${CLUSTER_NAME}:${password}@127.0.0.1:${port}/${CLUSTER_NAME}`,
      logger: benchLogger,
    };
    return new FaultPostgres(binaries, options, await runServer(options));
  }

  /** Makes an empty database; gives its connection string. */
  async createDatabase(name: string): Promise<string> {
    await this.query(`create database ${name}`);
    const url = new URL(this.options.connectionString);
    url.pathname = `/${name}`;
    return url.href;
  }

  async dropDatabase(name: string): Promise<void> {
    await this.query(`drop database if exists ${name} with (force)`);
  }

  /** Starts it again, on the same port, and waits until it takes queries: after a crash that is when it has recovered. */
  async start(): Promise<void> {
    for (let attempt = 1; this.running === null; attempt += 1) {
      try {
        this.running = await runServer(this.options);
      } catch (error) {
        if (attempt === START_TRIES) throw error;
        await sleep(500);
      }
    }
  }

  /** Ends every session and the server, as an administrator does (a fast shutdown). */
  async stop(): Promise<void> {
    const running = this.running;
    this.running = null;
    await running?.stop();
  }

  /** SIGKILL to its first process: nothing is written down, and the next start recovers. */
  async kill(): Promise<void> {
    const running = this.running;
    this.running = null;
    process.kill(await this.firstProcess(), 'SIGKILL');
    await running?.ended;
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
    return Number.parseInt(await readFile(join(this.options.place.cwd, 'postmaster.pid'), 'utf8'), 10);
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
    return runStatement<Row>(this.options.connectionString, statement);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.binaries.dispose();
  }
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
