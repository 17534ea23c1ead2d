import type { EventPrincipal, RecordedTable } from '@waybill/outbox';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import pg from 'pg';

/** What the example for Fastify uses. */
export interface Context {
  readonly app: FastifyInstance;
  readonly pool: pg.Pool;
  readonly orders: RecordedTable;
  readonly userOf: (request: Pick<FastifyRequest, 'headers'>) => EventPrincipal;
}

/** Connects to the database. */
export function open(url: string): { context: Omit<Context, 'orders'>; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: url });
  const app = fastify({ requestIdHeader: 'x-request-id' });
  return {
    context: { app, pool, userOf: ({ headers }) => ({ id: String(headers['x-user']) }) },
    close: () => pool.end(),
  };
}

/** Starts the application. */
export async function listen({ app }: Pick<Context, 'app'>): Promise<{ address: string; close: () => Promise<void> }> {
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
}
