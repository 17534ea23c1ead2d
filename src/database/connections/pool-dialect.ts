import { PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { Turns, type Turn, type TurnLimits } from '../../timing/turns.js';
import { preparedName } from './prepared-names.js';
import { isReadOnlyRefusal } from './writable.js';

/**
 * Kysely's Postgres dialect on a pool, with prepared statements (`executePrepared`). When a server refuses a write
 * because it is read-only, all connections that are open are closed: new ones may reach the primary that has replaced
 * the server.
 * @param limit on the connections of the pool that this dialect uses at once; null: none but the pool's own
 */
export function poolDialect(pool: Pool, limit: TurnLimits | null = null): PostgresDialect {
  const connections = PoolConnections.of(pool);
  const turns = limit && new Turns(limit);
  return new PostgresDialect({
    pool: {
      connect: async () => {
        const turn = await turns?.take([]);
        if (turn === null)
          throw new Error(`No connection of this share was free for ${(limit?.waitMs ?? 0) / 1_000} s.`);
        try {
          return await connections.take(turn);
        } catch (error) {
          turn?.end();
          throw error;
        }
      },
      end: async () => {
        if (!turns) await pool.end();
      },
    },
  });
}

/** The open connections of a pool, which the dialects on it share. */
class PoolConnections {
  private static readonly ofPools = new WeakMap<Pool, PoolConnections>();
  private readonly connections = new WeakMap<PoolClient, PoolConnection>();
  private opened = 0;
  /** Connections up to this number are closed when they are free. */
  private retired = 0;

  private constructor(private readonly pool: Pool) {
    pool.on('connect', (client) => {
      this.opened += 1;
      this.connections.set(client, new PoolConnection(client, this.opened, this));
    });
  }

  /** Returns the connections of a pool. The first call must precede the pool's first connection. */
  static of(pool: Pool): PoolConnections {
    const known = this.ofPools.get(pool) ?? new PoolConnections(pool);
    this.ofPools.set(pool, known);
    return known;
  }

  /** Takes a connection that is not to be closed. */
  async take(turn: Turn | undefined): Promise<PoolConnection> {
    for (;;) {
      const client = await this.pool.connect();
      const connection = this.connections.get(client);
      if (connection && !this.isRetired(connection)) {
        connection.turn = turn;
        return connection;
      }
      client.release(true);
    }
  }

  /** Has all connections that are open closed when they are free. */
  retire(): void {
    this.retired = this.opened;
  }

  isRetired({ number }: PoolConnection): boolean {
    return number <= this.retired;
  }
}

/** One object for each connection, for all its uses: Kysely keeps an object of its own for each one that it gets. */
class PoolConnection implements PostgresPoolClient {
  /** The turn of the current use. */
  turn: Turn | undefined;
  /** Whether the server has ended the connection. The pool learns it later, when the socket closes. */
  private isEnded = false;

  /** @param number counts the connections of the pool, in the order in which they were opened */
  constructor(
    private readonly client: PoolClient,
    readonly number: number,
    private readonly connections: PoolConnections,
  ) {}

  // Kysely calls the second form only with a cursor, and this dialect gives it none.
  query<Row>(text: string, values: unknown[]): Promise<PostgresQueryResult<Row>>;
  query(): never;
  query(text = '', values: unknown[] = []): Promise<unknown> {
    return this.client.query({ name: preparedName(text), text, values }).catch((error: unknown) => {
      if (isReadOnlyRefusal(error)) this.connections.retire();
      // Severities: https://www.postgresql.org/docs/current/runtime-config-logging.html
      if (error instanceof DatabaseError && error.severity === 'FATAL') this.isEnded = true;
      throw error;
    });
  }

  release(): void {
    this.client.release(this.isEnded || this.connections.isRetired(this));
    this.turn?.end();
  }
}
