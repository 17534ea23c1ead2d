import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { giveBack, takeOut } from '../checked-out.js';
import { within } from './within.js';

/** Longest time for a connection or for a statement: a database that does not respond must not stop the relay. */
const TIMEOUT_MS = 30_000;

/** Runs the statements of a relay, each with a timeout. After an error the connection is closed. */
export class RelayDatabase {
  constructor(
    private readonly pool: Pool,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Runs one statement, and returns its rows. */
  query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.withClient(async (client) => (await client.query<Row>(text, [...values])).rows);
  }

  /** Runs statements in one transaction, in which each statement sees what was committed before it. */
  transaction<Result>(run: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.withClient(async (client) => {
      // The default of the database may be another level.
      await client.query('begin isolation level read committed');
      const result = await run(client);
      await client.query('commit');
      return result;
    });
  }

  private async withClient<Result>(run: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.connect();
    let failed = true;
    try {
      const result = await within(this.timeoutMs, 'The database did not respond', run(client));
      failed = false;
      return result;
    } finally {
      // Closing the connection also ends a transaction that is open, and a statement that still runs.
      giveBack(client, failed);
    }
  }

  private async connect(): Promise<PoolClient> {
    const connecting = takeOut(this.pool);
    try {
      return await within(this.timeoutMs, 'There was no connection to the database', connecting);
    } catch (error) {
      connecting.then((late) => giveBack(late)).catch(() => {});
      throw error;
    }
  }
}
