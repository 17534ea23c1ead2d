import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { EventContext } from '@waybill/outbox';
import pg from 'pg';

/** What the service of the example returns. */
export interface Order {
  readonly id: number;
  readonly total: number;
}

/** What the example for NestJS uses. */
export interface Context {
  readonly pool: pg.Pool;
  readonly caller: AsyncLocalStorage<EventContext>;
}

/** The classes that the example declares. */
export interface Declared {
  readonly AppModule: new () => object;
  readonly OrdersService: new (...given: never[]) => { create(total: number): Promise<Order> };
}

/** Connects to the database. */
export function open(url: string): { context: Context; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: url });
  return { context: { pool, caller: new AsyncLocalStorage() }, close: () => pool.end() };
}

/** Starts the module of the example, creates an order as `user-7`, and stops it. */
export async function createOrder({ AppModule, OrdersService }: Declared, { caller }: Context): Promise<Order> {
  const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
  await app.init();
  try {
    return await caller.run({ principal: { id: 'user-7' } }, () => app.get(OrdersService).create(1200));
  } finally {
    await app.close();
  }
}
