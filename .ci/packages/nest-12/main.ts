// Records an event with @Audited, and compares the classes of `import` and `require`.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InvalidEventError } from '@waybill/outbox';
import { Audited, OutboxRecorder, WaybillOutboxModule } from '@waybill/outbox/nestjs';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });

const orders = { table: 'nest_12_orders', type: 'nest_12_order' };

@Injectable()
class OrdersService {
  constructor(private readonly recorder: OutboxRecorder) {}

  @Audited(orders, { createdId: (id: number) => id })
  async create(total: number): Promise<number> {
    const text = 'insert into nest_12_orders (total) values ($1) returning id';
    const { rows } = await this.recorder.client().query<{ id: number }>(text, [total]);
    return rows[0]!.id;
  }
}

@Module({ imports: [WaybillOutboxModule.forRoot({ pool })], providers: [OrdersService] })
class OrdersModule {}

const require = createRequire(import.meta.url);
assert.equal(require('@waybill/outbox').InvalidEventError, InvalidEventError);
assert.equal(require('@waybill/outbox/nestjs').OutboxRecorder, OutboxRecorder);

await pool.query('create table nest_12_orders (id int generated always as identity primary key, total int)');
const app = await NestFactory.createApplicationContext(OrdersModule, { logger: false });
const id = await app.get(OrdersService).create(1200);
const { rows } = await pool.query(
  "select event -> 'object' as object from waybill_outbox.events where event ->> 'type' = 'nest_12_order_created.v0'",
);
assert.deepEqual(rows, [{ object: { id, total: 1200 } }]);
await app.close();
await pool.end();
