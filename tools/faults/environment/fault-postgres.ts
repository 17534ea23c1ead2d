import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, startEmbeddedPostgres, type EmbeddedPostgres } from '@waybill/embedded-postgres';
import type { QueryResultRow } from 'pg';
import { createDatabase, dropDatabase, runStatement } from '../../harness/database.js';
import { toolLogger } from '../../harness/logger.js';
import { allProcesses, treeOf } from '../../harness/proc.js';
import { until } from '../../harness/until.js';
import { allowReplication, makeStandby, putBack, takeBaseBackup } from './postgres-files.js';

/** Enough for the pools and queues of two api and two worker processes. */
const MAX_CONNECTIONS = 300;

/** External Postgres server of a run. It can be stopped, killed and started again, on the same port. */
export class FaultPostgres {
  private constructor(
    private folder: string,
    private readonly port: number,
    private readonly connectionString: string,
    private running: EmbeddedPostgres | null,
  ) {}

  /** Creates the data folder below `folder` and starts the server, with fsync on. */
  static async open(folder: string): Promise<FaultPostgres> {
    const dataFolder = join(folder, 'postgres');
    const port = await freePort();
    const server = await startServer(dataFolder, port);
    return new FaultPostgres(dataFolder, port, server.connectionString, server);
  }

  /** Creates an empty database. Returns its connection string. */
  createDatabase(name: string): Promise<string> {
    return createDatabase(this.connectionString, name);
  }

  dropDatabase(name: string): Promise<void> {
    return dropDatabase(this.connectionString, name);
  }

  /** Starts the server on the same port and waits until it accepts queries, after a crash until it has recovered. */
  async start(): Promise<void> {
    const start = (): Promise<EmbeddedPostgres> => startServer(this.folder, this.port);
    // Under load, the other processes of a killed server may outlast all tries of one start.
    this.running ??= await start().catch(start);
  }

  /** Fast shutdown: ends every session and the server. */
  async stop(): Promise<void> {
    const running = this.running;
    this.running = null;
    await running?.stop();
  }

  /** SIGKILL to the postmaster. The next start recovers. */
  async kill(): Promise<void> {
    const pid = await this.postmasterPid();
    const running = this.running;
    this.running = null;
    process.kill(pid, 'SIGKILL');
    await running?.stop();
  }

  /**
   * SIGSTOP to all processes. Connections stay open, the kernel accepts new ones, and nothing responds: like a frozen
   * machine or a network that drops packets.
   */
  async pause(): Promise<void> {
    await this.signal('SIGSTOP');
  }

  /** SIGCONT. */
  async resume(): Promise<void> {
    await this.signal('SIGCONT');
  }

  private async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const first = await this.postmasterPid();
    // The postmaster starts all others: once it is stopped, no new process appears.
    process.kill(first, signal);
    for (const pid of treeOf(await allProcesses(), first)) {
      if (pid !== first) sendSignal(pid, signal);
    }
  }

  private async postmasterPid(): Promise<number> {
    return Number.parseInt(await readFile(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  }

  /** Takes a base backup of the running server into a new folder. */
  async backup(to: string): Promise<void> {
    await takeBaseBackup(this.connectionString, this.folder, to);
  }

  /** Stops the server and starts it with the files of a backup: on the same timeline, as if nothing had been lost. */
  async restore(backup: string): Promise<void> {
    await this.stop();
    await putBack(backup, this.folder);
    await this.start();
  }

  /** Starts a standby that streams from this server, with its data in a new folder. */
  async startStandby(folder: string): Promise<Standby> {
    await allowReplication(this.folder);
    await this.query('select pg_reload_conf()');
    await this.backup(folder);
    await makeStandby(folder, this.connectionString);
    const server = await startServer(folder, await freePort());
    return new Standby(folder, server);
  }

  /**
   * SIGKILL to the server, which is lost. The standby takes over its port and is promoted.
   */
  async failOver(standby: Standby): Promise<void> {
    await this.kill();
    await standby.stop();
    this.folder = standby.folder;
    await this.start();
    await this.query('select pg_promote()');
  }

  /** Ends all other connections to a database. Returns their number. */
  async terminateConnections(database: string): Promise<number> {
    const rows = await this.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`,
    );
    return rows.length;
  }

  /** Runs one statement as the superuser. */
  query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return runStatement<Row>(this.connectionString, statement);
  }
}

/** A hot standby of the server. */
export class Standby {
  constructor(
    readonly folder: string,
    private readonly server: EmbeddedPostgres,
  ) {}

  /** Waits until the standby has replayed everything that the primary has written until now. */
  async caughtUp(primary: FaultPostgres): Promise<void> {
    const [row] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
    const replayed = `select where pg_last_wal_replay_lsn() >= '${row?.lsn}'`;
    await until(async () => (await this.query(replayed)).length > 0, 'the standby has caught up');
  }

  /** Ends the streaming: what the primary writes from now on, the standby does not have. */
  async cutOff(): Promise<void> {
    await this.query(`alter system set primary_conninfo = ''`);
    await this.query('select pg_reload_conf()');
    const receivers = 'select from pg_stat_wal_receiver';
    await until(async () => (await this.query(receivers)).length === 0, 'the standby is cut off');
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  private query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return runStatement<Row>(this.server.connectionString, statement);
  }
}

function startServer(folder: string, port: number): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ folder, port, maxConnections: MAX_CONNECTIONS, logger: toolLogger });
}

/** Sends a signal to a process that may have exited. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
