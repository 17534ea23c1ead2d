import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Body,
  Controller,
  HttpCode,
  Injectable,
  Module,
  Post,
  type ExecutionContext,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { triggerSql, type EventContext, type OutboxEvent, type QueryRunner } from '../src/index.js';
import {
  Audited,
  NoTransactionError,
  OutboxRecorder,
  WaybillOutboxModule,
  type OutboxTransactions,
} from '../src/nestjs/index.js';
import {
  connectionEnd,
  createTestDatabase,
  inTransaction,
  recordedEvents,
  type TestDatabase,
} from './support/test-database.js';

interface Order {
  readonly id: number;
  readonly total: number;
}

const event: OutboxEvent = { type: 'order_noted.v0', resourceId: 'order-1', object: {} };
const ordersTable = { table: 'orders', type: 'order' };
const caller = new AsyncLocalStorage<EventContext>();

@Injectable()
class OrdersService {
  constructor(private readonly outbox: OutboxRecorder) {}

  @Audited(ordersTable, { createdId: (order: Pick<Order, 'id'>) => order.id })
  async create(total: number): Promise<Order> {
    const { rows } = await this.outbox
      .client()
      .query<Order>('insert into orders (total) values ($1) returning *', [total]);
    if (!rows[0] || total < 0) throw new Error('the total is negative');
    return rows[0];
  }

  @Audited(ordersTable, { id: (id: number) => id })
  async change(id: number, total: number): Promise<void> {
    await this.outbox.client().query('update orders set total = $2 where id = $1', [id, total]);
  }

  @Audited(ordersTable, { id: (id: number) => id })
  async delete(id: number): Promise<null> {
    await this.outbox.client().query('delete from orders where id = $1', [id]);
    return null;
  }

  @Audited<Pick<Order, 'id'>>({ ...ordersTable, id: ['total'] }, { createdId: () => '' })
  createWithoutId(total: number): Promise<Order> {
    return this.create(total);
  }
}

@Injectable()
class PaidOrders {
  @Audited(ordersTable, { id: (id: number) => id })
  async pay(id: number): Promise<string> {
    return `paid ${id}`;
  }
}

@Controller('orders')
class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Audited({ ...ordersTable, type: 'request' }, { createdId: (order: Pick<Order, 'id'>) => order.id })
  @Post()
  @HttpCode(299)
  async create(@Body() body: { total: number; wait?: number }): Promise<Order> {
    await delay(body.wait ?? 0);
    return this.orders.create(body.total);
  }
}

let database: TestDatabase;
let app: NestFastifyApplication;
let recorder: OutboxRecorder;
let orders: OrdersService;

/** Returns the user of a request, or of code without one. */
function contextOf(execution: ExecutionContext | undefined): EventContext | undefined {
  const request = execution?.switchToHttp().getRequest<{ headers: Record<string, string> }>();
  return request ? { principal: { id: request.headers['x-user'] ?? 'nobody' } } : caller.getStore();
}

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table orders (id serial primary key, total integer not null)');
  @Module({
    imports: [WaybillOutboxModule.forRoot({ pool: database.pool, context: contextOf })],
    controllers: [OrdersController],
    providers: [OrdersService],
  })
  class AppModule {}
  app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  recorder = app.get(OutboxRecorder);
  orders = app.get(OrdersService);
});
beforeEach(() => database.pool.query('truncate orders, waybill_outbox.events restart identity'));
afterAll(async () => {
  await app.close();
  await database.close();
});

async function post(user: string, body: unknown): Promise<Response> {
  return fetch(`${await app.getUrl()}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': user },
    body: JSON.stringify(body),
  });
}

async function totals(): Promise<unknown[]> {
  const { rows } = await database.pool.query<{ total: number }>('select total from orders order by id');
  return rows.map(({ total }) => total);
}

const types = async (): Promise<unknown[]> => (await recordedEvents(database.pool)).map((body) => body['type']);

describe('@Audited()', () => {
  it('records the event of a request in the transaction of the change, and keeps other decorators', async () => {
    const response = await post('user-7', { total: 1200 });
    expect(response.status).toBe(299);
    expect(await response.json()).toEqual({ id: 1, total: 1200 });
    const body = { resource_id: '1', object: { id: 1, total: 1200 }, principal: { id: 'user-7' } };
    expect(await recordedEvents(database.pool)).toEqual([
      { ...body, type: 'order_created.v0' },
      { ...body, type: 'request_created.v0' },
    ]);
    const { rows } = await database.pool.query('select distinct xmin from waybill_outbox.events');
    expect(rows).toHaveLength(1);
  });

  it('rolls the change back when the method throws', async () => {
    expect((await post('user-7', { total: -1 })).status).toBe(500);
    await expect(orders.create(-2)).rejects.toThrow('the total is negative');
    expect(await totals()).toEqual([]);
    expect(await recordedEvents(database.pool)).toEqual([]);
  });

  it('rolls the change back when the event cannot be recorded', async () => {
    await expect(orders.createWithoutId(1)).rejects.toThrow('invalid input syntax for type integer');
    expect(await totals()).toEqual([]);
  });

  it('records what a method has changed that returns nothing, and nothing if it has changed nothing', async () => {
    await orders.create(1);
    await orders.change(1, 2);
    await orders.change(1, 2);
    await orders.change(7, 2);
    await orders.delete(1);
    await orders.delete(1);
    expect((await recordedEvents(database.pool)).slice(1)).toEqual([
      {
        type: 'order_updated.v0',
        resource_id: '1',
        object: { id: 1, total: 2 },
        changes: { before: { total: 1 }, after: { total: 2 } },
      },
      { type: 'order_deleted.v0', resource_id: '1', object: { id: 1, total: 2 } },
    ]);
  });

  it('says why an instance without Nest cannot record', async () => {
    await expect(new OrdersService(recorder).create(1)).rejects.toThrow('Nest has not made this OrdersService');
  });

  it('runs in a unit test with a recorder that only runs the work', async () => {
    const unit = await NestFactory.createApplicationContext(
      {
        // oxlint-disable-next-line typescript/no-extraneous-class -- Nest knows a module by its class.
        module: class UnitTest {},
        providers: [
          { provide: PaidOrders, useClass: PaidOrders },
          {
            provide: OutboxRecorder,
            useValue: { recordChange: (_table: unknown, _id: unknown, work: () => unknown) => work() },
          },
        ],
      },
      { logger: false },
    );
    expect(await unit.get(PaidOrders).pay(7)).toBe('paid 7');
    await unit.close();
  });

  it('does not mix up requests that run side by side', async () => {
    const users = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(users.map((user) => post(`user-${user}`, { total: user, wait: (user * 7) % 20 })));
    const list = await recordedEvents(database.pool);
    expect(list).toHaveLength(40);
    for (const { object, principal } of list) {
      expect(principal).toEqual({ id: `user-${(object as Order).total}` });
    }
  });
});

describe('OutboxRecorder', () => {
  it('records nothing outside of a transaction, nor after its end', async () => {
    await expect(recorder.record(event)).rejects.toThrow(NoTransactionError);
    expect(() => recorder.client()).toThrow('There is no transaction');
    let late: Promise<void> | undefined;
    const ended = new EventEmitter();
    await recorder.transaction(async () => {
      late = once(ended, 'end').then(() => recorder.record(event));
      await recorder.client().query('select 1');
    });
    ended.emit('end');
    await expect(late).rejects.toThrow(NoTransactionError);
    expect(await recordedEvents(database.pool)).toEqual([]);
  });

  it('fails the whole transaction when a part of it failed, even if the error was caught', async () => {
    const caught = recorder.transaction(async () => {
      await orders.create(1);
      await orders.create(-1).catch(() => undefined);
    });
    await expect(caught).rejects.toThrow('The transaction was rolled back, because a part of it failed.');
    await expect(caught).rejects.toMatchObject({ cause: new Error('the total is negative') });
    const swallowed = recorder.transaction(async () => {
      await orders.create(1);
      await recorder
        .client()
        .query('select 1 / 0')
        .catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('The transaction was rolled back, because a statement of it failed.');
    expect(await totals()).toEqual([]);
    expect(await recordedEvents(database.pool)).toEqual([]);
  });

  it('tells triggers who makes the change', async () => {
    await database.pool.query('create table notes (id integer primary key)');
    await database.pool.query(triggerSql({ table: 'notes', type: 'note' }));
    await caller.run({ principal: { id: 'user-7' }, request: { id: 'r-1', ip: '::1', userAgent: 'curl/8' } }, () =>
      recorder.transaction(() => recorder.client().query('insert into notes values (1)')),
    );
    await recorder.transaction(() => recorder.client().query('insert into notes values (2)'));
    expect(await recordedEvents(database.pool)).toEqual([
      {
        type: 'note_created.v0',
        resource_id: '1',
        object: { id: 1 },
        principal: { id: 'user-7' },
        request: { id: 'r-1', ip: '::1', user_agent: 'curl/8' },
      },
      { type: 'note_created.v0', resource_id: '2', object: { id: 2 } },
    ]);
  });

  it('survives the loss of a connection, which does not return to the pool', async () => {
    const lost = recorder.transaction(async () => {
      const { rows } = await recorder.client().query<{ pid: number }>('select pg_backend_pid() as pid');
      const ended = connectionEnd(recorder.client());
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await ended;
      await orders.create(1);
    });
    await expect(lost).rejects.toThrow(/not queryable|terminat/);
    await Promise.all(Array.from({ length: 6 }, () => orders.create(1)));
    expect(await totals()).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('WaybillOutboxModule', () => {
  async function start(module: Type): Promise<INestApplication> {
    return (await NestFactory.create(module, new FastifyAdapter(), { logger: false })).init();
  }

  it('takes the pool of another module', async () => {
    @Module({ providers: [{ provide: 'POOL', useFactory: () => database.pool }], exports: ['POOL'] })
    class DatabaseModule {}
    @Module({
      imports: [
        WaybillOutboxModule.forRootAsync({
          imports: [DatabaseModule],
          inject: ['POOL'],
          useFactory: (pool: typeof database.pool) => ({ pool }),
        }),
      ],
    })
    class AppModule {}
    const own = await start(AppModule);
    await own.get(OutboxRecorder).transaction(() => own.get(OutboxRecorder).record(event));
    expect(await types()).toEqual(['order_noted.v0']);
    await own.close();
  });

  it('uses the transactions of the application', async () => {
    const storage = new AsyncLocalStorage<QueryRunner>();
    const transactions: OutboxTransactions = {
      current: () => storage.getStore(),
      run: (work) => inTransaction(database.pool, (client) => storage.run(client, work)),
    };
    @Module({
      imports: [WaybillOutboxModule.forRoot({ transactions, context: () => ({ principal: { id: 'user-7' } }) })],
    })
    class AppModule {}
    const own = await start(AppModule);
    const ownRecorder = own.get(OutboxRecorder);
    await expect(ownRecorder.record(event)).rejects.toThrow(NoTransactionError);
    await ownRecorder.transaction(() => ownRecorder.record({ ...event, principal: undefined }));
    expect(await recordedEvents(database.pool)).toEqual([
      { type: event.type, resource_id: event.resourceId, object: {}, principal: { id: 'user-7' } },
    ]);
    expect(() => ownRecorder.client()).toThrow('have no client()');
    await own.close();
  });
});
