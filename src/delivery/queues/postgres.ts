import { PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import { Client } from 'pg';
import type { Config } from '../../config/config.js';
import { CONNECTION_TIMEOUT_MS, IDLE_TIMEOUT_MS } from '../../database/database.js';
import type { Store } from '../../database/store.js';
import { watchedSocket } from '../../database/watched-socket.js';
import type { QueueConnection } from './connection.js';

/**
 * Most connections to Postgres for the queues of a process; one more listens. Workers hold none while they wait or send, so a
 * handful serves five queues and five workers.
 */
const POOL_SIZE = 8;

/** How often the listening connection is asked for a sign of life, in milliseconds: often enough for its watched socket. */
const LISTEN_PULSE_MS = 10_000;

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/** The same client, which begins a query when the one before has ended. */
function queryInTurn(client: ListenClient): ListenClient {
  let last: Promise<unknown> = Promise.resolve();
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query') {
        return (text: string, params?: readonly unknown[]) => {
          const result = last.then(() => target.query(text, params));
          last = result.catch(() => undefined);
          return result;
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/**
 * One pool and one listening connection for all queues and workers of the process: made one by one, as BullMQ's own factory
 * does, they would be eleven pools. A queue that is closed must not close it under the others, so only `end` does.
 */
class SharedConnection extends PostgresConnection {
  private inTurn: { readonly client: ListenClient; readonly wrapped: ListenClient } | undefined;
  private pulse: NodeJS.Timeout | undefined;

  constructor(options: ConstructorParameters<typeof PostgresConnection>[0]) {
    super(options);
    // Eleven queues and workers listen to it.
    this.setMaxListeners(0);
  }

  /** Five workers subscribe on it at the same moment, and a client takes one query at a time. */
  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    if (this.inTurn?.client !== client) {
      this.inTurn = { client, wrapped: queryInTurn(client) };
      this.keepAwake(this.inTurn.wrapped);
    }
    return this.inTurn.wrapped;
  }

  /** One that only listens would be silent whether its server is well or gone. Its socket reports what the question finds. */
  private keepAwake(client: ListenClient): void {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => {
      client.query('select 1').catch(() => undefined);
    }, LISTEN_PULSE_MS);
  }

  override async close(): Promise<void> {
    await Promise.resolve();
  }

  override async disconnect(): Promise<void> {
    await Promise.resolve();
  }

  async end(): Promise<void> {
    clearInterval(this.pulse);
    await super.close();
  }
}

/**
 * Runs BullMQ's migrations, on a connection of their own: they may wait for another process that runs them, or build an index, for
 * longer than any statement of the service may take.
 */
async function makeTables(store: Store, config: Config, schema: string): Promise<void> {
  const client = new Client({
    connectionString: store.connectionString,
    application_name: `waybill queue migration ${config.INSTANCE_NAME}`,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  });
  // What loses the connection fails the statement under way as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}

/**
 * Puts the queues into the schema QUEUE_PREFIX of the same database, whose tables BullMQ's own migrations make, under BullMQ's
 * own lock.
 */
export async function connectToPostgres(
  store: Store,
  config: Config,
  onError: (error: Error) => void,
): Promise<QueueConnection> {
  const schema = config.QUEUE_PREFIX;
  await makeTables(store, config, schema);
  const connection = new SharedConnection({
    connectionString: store.connectionString,
    schema,
    max: POOL_SIZE,
    application_name: `waybill queues ${config.INSTANCE_NAME}`,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: watchedSocket,
  });
  connection.on('error', onError);
  try {
    // BullMQ remembers how its first look at the schema went: a failure must end the start, not every call from then on.
    await connection.waitUntilReady();
  } catch (error) {
    await connection.end();
    throw error;
  }
  return {
    backend: 'postgres',
    factory: (name, options) =>
      new PostgresQueueBackend(connection, name, { ...options, connection: connection.pool }),
    queueOptions: { connection: {} },
    workerOptions: () => ({ connection: {} }),
    close: () => connection.end(),
  };
}
