import type { AddressInfo } from 'node:net';
import type { EventPrincipal, RecordedTable } from '@waybill/outbox';
import express, { type Express, type Request } from 'express';
import pg from 'pg';

/** What the example for Express uses. */
export interface Context {
  readonly app: Express;
  readonly pool: pg.Pool;
  readonly orders: RecordedTable;
  readonly userOf: (request: Request) => EventPrincipal;
}

/** Connects to the database. */
export function open(url: string): { context: Omit<Context, 'orders'>; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: url });
  const app = express();
  app.use(express.json());
  return {
    context: { app, pool, userOf: (request) => ({ id: request.get('x-user') ?? 'nobody' }) },
    close: () => pool.end(),
  };
}

/** Starts the application. */
export async function listen({ app }: Pick<Context, 'app'>): Promise<{ address: string; close: () => Promise<void> }> {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${port}`, close };
}
