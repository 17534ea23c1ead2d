import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createApp } from '../src/app.js';
import { migrate } from '../src/database/migrate.js';

/** A row of the outbox. */
export interface RecordedEvent {
  readonly event_id: string;
  readonly type: string;
  readonly resource_id: string;
  /** The body of the event for `POST /events`, without its id. */
  readonly event: {
    readonly object: Readonly<Record<string, unknown>>;
    readonly changes?: { readonly before: unknown; readonly after: unknown };
    readonly principal?: { readonly id: string; readonly subject?: string };
    readonly request?: { readonly id?: string };
  };
}

/** A response of the API. */
export interface TestResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** The orders API in this process, on a database of its own. */
export interface TestOrdersApi {
  readonly databaseUrl: string;
  readonly client: pg.Client;
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<TestResponse>;
  /** Sends a POST and returns the id of what it created. */
  create(path: string, body: object): Promise<string>;
  /** Returns what is in the outbox, in order. */
  recorded(): Promise<readonly RecordedEvent[]>;
  close(): Promise<void>;
}

/**
 * Creates a database and starts the API on it.
 * @param serverUrl a server on which databases may be created
 */
export async function startTestOrdersApi(serverUrl: string): Promise<TestOrdersApi> {
  const name = `orders_${randomBytes(8).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(`create database ${name}`);
  await migrate(url.href);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const app = await createApp(url.href);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();

  const send: TestOrdersApi['send'] = async (method, path, body) => {
    const response = await app.inject({
      method,
      url: path,
      headers: { 'x-user-id': 'user-7', 'x-user-name': 'Ada' },
      ...(body && { payload: body }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : response.json() };
  };
  return {
    databaseUrl: url.href,
    client,
    send,
    create: async (path, body) => {
      const response = await send('POST', path, body);
      if (response.status !== 201) throw new Error(`POST ${path} returned ${JSON.stringify(response)}`);
      return String(response.body?.id);
    },
    recorded: async () => {
      const { rows } = await client.query<RecordedEvent>(
        'select event_id, type, resource_id, event from waybill_outbox.events order by position',
      );
      return rows;
    },
    close: async () => {
      await app.close();
      await client.end();
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    },
  };
}
