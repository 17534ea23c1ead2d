import { EventEmitter } from 'node:events';
import { PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import { Client } from 'pg';
import type { Config } from '../../config/config.js';
import { watchedSocket } from '../../database/connections/watched-socket.js';
import { CONNECTION_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_LIFETIME_SECONDS } from '../../database/database.js';
import type { Store } from '../../database/store.js';
import type { QueueConnection } from './connection.js';

/**
 * Most connections to Postgres for the queues of a process, beside one that listens. Workers hold none while they wait
 * or send, so these serve five queues and five workers.
 */
const POOL_SIZE = 8;

/** How often the listening connection runs a query, in milliseconds: often enough for its watched socket. */
const LISTEN_PULSE_MS = 10_000;

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/** Wraps a client so that each query waits for the one before: a client takes one query at a time. */
function serializeQueries(client: ListenClient): ListenClient {
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
 * One pool and one listening connection for all queues and workers of the process: BullMQ's own factory opens a pool
 * for each of the ten. Closing one queue must not close the pool of the others, so only `end` closes it.
 */
class SharedConnection extends PostgresConnection {
  private serialized: { readonly client: ListenClient; readonly wrapped: ListenClient } | undefined;
  private pulse: NodeJS.Timeout | undefined;

  constructor(options: ConstructorParameters<typeof PostgresConnection>[0]) {
    super(options);
    // Ten queues and workers listen for its events.
    this.setMaxListeners(0);
  }

  /** Five workers subscribe at the same moment. */
  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    if (this.serialized?.client !== client) {
      // Each waiting worker has one listener for notifications, and removes it when its wait ends.
      if (client instanceof EventEmitter) client.setMaxListeners(0);
      this.serialized = { client, wrapped: serializeQueries(client) };
      this.keepAwake(this.serialized.wrapped);
    }
    return this.serialized.wrapped;
  }

  /**
   * A connection that only listens is silent when its server is gone, too. The watched socket reports a query without a
   * response.
   */
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
 * Runs BullMQ's migrations on a connection without the service's statement timeout: they may wait for another process,
 * or build an index.
 */
async function migrate(store: Store, config: Config, schema: string): Promise<void> {
  const client = new Client({
    connectionString: store.connectionString,
    application_name: `waybill queue migration ${config.INSTANCE_NAME}`,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  });
  // A lost connection also fails the statement under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}

/**
 * Connects to the queues in the schema QUEUE_PREFIX of the same database, after BullMQ's migrations under BullMQ's
 * lock.
 */
export async function connectToPostgres(
  store: Store,
  config: Config,
  onError: (error: Error) => void,
): Promise<QueueConnection> {
  const schema = config.QUEUE_PREFIX;
  await migrate(store, config, schema);
  const connection = new SharedConnection({
    connectionString: store.connectionString,
    schema,
    max: POOL_SIZE,
    application_name: `waybill queues ${config.INSTANCE_NAME}`,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: watchedSocket,
  });
  connection.on('error', onError);
  try {
    // BullMQ remembers the result of its first schema check. A failure must fail the start, not every later call.
    await connection.waitUntilReady();
  } catch (error) {
    await connection.end();
    throw error;
  }
  return {
    backend: 'postgres',
    factory: (name, options) => new PostgresQueueBackend(connection, name, { ...options, connection: connection.pool }),
    queueOptions: { connection: {} },
    workerOptions: () => ({ connection: {} }),
    // It was opened above.
    wasReached: () => true,
    close: () => connection.end(),
  };
}
