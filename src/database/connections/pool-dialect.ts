import {
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { DatabaseError, type Pool, type PoolClient, type QueryConfig, type QueryResult as PgResult } from 'pg';
import { Turns, type Turn, type TurnLimits } from '../../timing/turns.js';
import { isReadOnlyRefusal } from './writable.js';

/**
 * Kysely's Postgres dialect on a pool, with prepared statements (`executePrepared`), which Kysely's own driver lacks.
 * When a server refuses a write because it is read-only, the driver closes all connections that are open: new ones may
 * reach the primary that has replaced the server.
 */
export class PoolDialect extends PostgresDialect {
  /** @param limit on the connections of the pool that this dialect uses at once; null: none but the pool's own */
  constructor(
    private readonly pool: Pool,
    private readonly limit: TurnLimits | null = null,
  ) {
    super({ pool });
  }

  override createDriver(): Driver {
    return new PoolDriver(this.pool, this.limit);
  }
}

/** The open connections of a pool, which the dialects on it share. */
class PoolConnections {
  private static readonly ofPools = new WeakMap<Pool, PoolConnections>();
  private readonly connections = new WeakMap<PoolClient, PoolConnection>();
  private opened = 0;
  /** Connections up to this number are closed when they are free. */
  private retired = 0;

  private constructor(pool: Pool) {
    pool.on('connect', (client) => {
      this.opened += 1;
      const retire = () => {
        this.retired = this.opened;
      };
      this.connections.set(client, new PoolConnection(client, this.opened, retire));
    });
  }

  /** Returns the connections of a pool. The first call must precede the pool's first connection. */
  static of(pool: Pool): PoolConnections {
    const known = this.ofPools.get(pool) ?? new PoolConnections(pool);
    this.ofPools.set(pool, known);
    return known;
  }

  /** Returns the connection of a client; undefined when it is to be closed. */
  usable(client: PoolClient): PoolConnection | undefined {
    const connection = this.connections.get(client);
    return connection && !this.isRetired(connection) ? connection : undefined;
  }

  isRetired({ number }: PoolConnection): boolean {
    return number <= this.retired;
  }
}

class PoolDriver implements Driver {
  private readonly connections: PoolConnections;
  private readonly turns: Turns | null;
  /** The turns of the connections in use. */
  private readonly taken = new Map<PoolConnection, Turn>();

  constructor(
    private readonly pool: Pool,
    private readonly limit: TurnLimits | null,
  ) {
    this.connections = PoolConnections.of(pool);
    this.turns = limit && new Turns(limit);
  }

  async init(): Promise<void> {
    // The first query connects.
  }

  async acquireConnection(): Promise<PoolConnection> {
    const turn = await this.turns?.take([]);
    if (turn === null)
      throw new Error(`No connection of this share was free for ${(this.limit?.waitMs ?? 0) / 1_000} s.`);
    try {
      const connection = await this.connect();
      if (turn) this.taken.set(connection, turn);
      return connection;
    } catch (error) {
      turn?.end();
      throw error;
    }
  }

  private async connect(): Promise<PoolConnection> {
    for (;;) {
      const client = await this.pool.connect();
      const connection = this.connections.usable(client);
      if (connection) return connection;
      client.release(true);
    }
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? '' : ` ${accessMode}`;
    await connection.query({ text: `begin${level}${mode}` });
  }

  async commitTransaction(connection: PoolConnection): Promise<void> {
    await connection.query({ text: 'commit' });
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    await connection.query({ text: 'rollback' });
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    connection.client.release(connection.isEnded || this.connections.isRetired(connection));
    this.taken.get(connection)?.end();
    this.taken.delete(connection);
  }

  async destroy(): Promise<void> {
    if (!this.turns) await this.pool.end();
  }
}

/** Statements whose row count Kysely returns, such as `numUpdatedRows`. */
const changing: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

class PoolConnection implements DatabaseConnection {
  /** Whether the server has ended the connection. The pool learns it later, when the socket closes. */
  isEnded = false;

  /**
   * @param number counts the connections of the pool, in the order in which they were opened
   * @param retire called when the server is read-only
   */
  constructor(
    readonly client: PoolClient,
    readonly number: number,
    private readonly retire: () => void,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql: text, parameters } = query;
    const name = 'preparedAs' in query && typeof query.preparedAs === 'string' ? query.preparedAs : undefined;
    const { rows, rowCount, command } = await this.query<Row>({ name, text, values: [...parameters] });
    return { rows, ...(changing.includes(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  /** Runs a statement. @throws the driver's error */
  query<Row>(statement: QueryConfig): Promise<PgResult<Row & object>> {
    return this.client.query<Row & object>(statement).catch((error: unknown) => {
      if (isReadOnlyRefusal(error)) this.retire();
      // Severities: https://www.postgresql.org/docs/current/runtime-config-logging.html
      if (error instanceof DatabaseError && error.severity === 'FATAL') this.isEnded = true;
      throw error;
    });
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported.');
  }
}
