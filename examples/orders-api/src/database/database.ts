import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Caller } from '../http/caller.js';

/** The connections to Postgres. */
export class Database implements OnApplicationShutdown {
  readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 10 });
    // An idle connection that breaks is replaced by the next query.
    this.pool.on('error', () => {});
  }

  /**
   * Runs `work` in one transaction, which an error rolls back. The outbox reads the caller from settings of the
   * transaction, for the events of the trigger too.
   */
  async transaction<T>(caller: Caller, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `select set_config('waybill.principal', $1, true), set_config('waybill.request', $2, true)`,
        sessionSettings(caller),
      );
      const result = await work(client);
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // A connection that cannot roll back is closed.
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      );
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}

function sessionSettings({ principal, request: { id, ip, userAgent } }: Caller): [string, string] {
  return [JSON.stringify(principal), JSON.stringify({ id, ip, user_agent: userAgent })];
}
