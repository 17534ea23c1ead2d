import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { EventContext, RecordedTable } from '@waybill/outbox';
import pg from 'pg';

/** What the example for NestJS uses. */
export interface Context {
  readonly pool: pg.Pool;
  readonly orders: RecordedTable;
  readonly caller: AsyncLocalStorage<EventContext>;
}

/** The classes that the example declares. */
export interface Declared {
  readonly AppModule: new () => object;
  readonly OrdersService: new (...given: never[]) => { rename(id: number, title: string): Promise<void> };
}

/** Connects to the database. */
export function open(url: string): { context: Omit<Context, 'orders'>; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: url });
  return { context: { pool, caller: new AsyncLocalStorage() }, close: () => pool.end() };
}

/** Starts the module of the example, renames an order as `user-7`, and stops it. */
export async function rename(
  { AppModule, OrdersService }: Declared,
  { caller }: Pick<Context, 'caller'>,
  ...given: [id: number, title: string]
): Promise<void> {
  const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
  await app.init();
  try {
    await caller.run({ principal: { id: 'user-7' } }, () => app.get(OrdersService).rename(...given));
  } finally {
    await app.close();
  }
}
