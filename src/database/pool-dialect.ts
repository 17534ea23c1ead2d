import {
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';

/**
 * Kysely's Postgres dialect on a pool, with prepared statements (`executePrepared`), which Kysely's own driver lacks.
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

  constructor(private readonly pool: Pool) {}

  async init(): Promise<void> {
    // The first query connects.
  }

  async acquireConnection(): Promise<PoolConnection> {
    const client = await this.pool.connect();
    const known = this.connections.get(client);
    if (known) return known;
    const connection = new PoolConnection(client);
    this.connections.set(client, connection);
    return connection;
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

  async releaseConnection({ client }: PoolConnection): Promise<void> {
    client.release();
  }

  async destroy(): Promise<void> {
    await this.pool.end();
  }
}

/** Statements whose row count Kysely returns, such as `numUpdatedRows`. */
const changing: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

class PoolConnection implements DatabaseConnection {
  constructor(readonly client: PoolClient) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql: text, parameters } = query;
    const name = 'preparedAs' in query && typeof query.preparedAs === 'string' ? query.preparedAs : undefined;
    const result = await this.client.query<Row & object>({ name, text, values: [...parameters] });
    const { rows, rowCount, command } = result;
    return { rows, ...(changing.includes(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported.');
  }
}
