import {
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isReadOnlyRefusal } from './writable.js';

/**
 * Kysely's Postgres dialect on a pool, with prepared statements (`executePrepared`), which Kysely's own driver lacks.
 * When a server refuses a write because it is read-only, the driver closes all connections that are open: new ones may
 * reach the primary that has replaced the server.
 */
export class PoolDialect extends PostgresDialect {
  constructor(private readonly pool: Pool) {
    super({ pool });
  }

  override createDriver(): Driver {
    return new PoolDriver(this.pool);
  }
}

class PoolDriver implements Driver {
  private readonly connections = new WeakMap<PoolClient, PoolConnection>();
  private opened = 0;
  /** Connections up to this number are closed when they are free. */
  private retired = 0;

  constructor(private readonly pool: Pool) {
    pool.on('connect', (client) => {
      this.opened += 1;
      const retire = () => {
        this.retired = this.opened;
      };
      this.connections.set(client, new PoolConnection(client, this.opened, retire));
    });
  }

  async init(): Promise<void> {
    // The first query connects.
  }

  async acquireConnection(): Promise<PoolConnection> {
    for (;;) {
      const client = await this.pool.connect();
      const connection = this.connections.get(client);
      if (connection && connection.number > this.retired) return connection;
      client.release(true);
    }
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? '' : ` ${accessMode}`;
    await connection.client.query(`begin${level}${mode}`);
  }

  async commitTransaction({ client }: PoolConnection): Promise<void> {
    await client.query('commit');
  }

  async rollbackTransaction({ client }: PoolConnection): Promise<void> {
    await client.query('rollback');
  }

  async releaseConnection({ client, number }: PoolConnection): Promise<void> {
    client.release(number <= this.retired);
  }

  async destroy(): Promise<void> {
    await this.pool.end();
  }
}

/** Statements whose row count Kysely returns, such as `numUpdatedRows`. */
const changing: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

class PoolConnection implements DatabaseConnection {
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
    const running = this.client.query<Row & object>({ name, text, values: [...parameters] });
    const result = await running.catch((error: unknown) => {
      if (isReadOnlyRefusal(error)) this.retire();
      throw error;
    });
    const { rows, rowCount, command } = result;
    return { rows, ...(changing.includes(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported.');
  }
}
