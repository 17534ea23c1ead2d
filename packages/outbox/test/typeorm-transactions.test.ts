import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Order, open } from '../examples/typeorm.js';
import { OutboxRecorder } from '../src/nestjs/index.js';
import { transactions } from '../src/typeorm/index.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const orders = { table: 'orders', type: 'order' };

let database: TestDatabase;
let dataSource: DataSource;
let close: () => Promise<void>;
let recorder: OutboxRecorder;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table orders (id serial primary key, title text not null, price integer)');
  const opened = await open(database.url);
  ({ dataSource } = opened.context);
  ({ close } = opened);
  recorder = new OutboxRecorder(transactions(dataSource), () => ({ principal: { id: 'user-7' } }));
});
beforeEach(() => database.pool.query('truncate orders, waybill_outbox.events restart identity'));
afterAll(async () => {
  await close();
  await database.close();
});

/** As a service with an injected repository. */
const create = (title: string): Promise<Order> =>
  recorder.recordChange(
    orders,
    ({ id }: Order) => id,
    () => dataSource.getRepository(Order).save({ title, price: null }),
  );

async function titles(): Promise<string[]> {
  const { rows } = await database.pool.query<{ title: string }>('select title from orders order by id');
  return rows.map(({ title }) => title);
}

async function recordedTitles(): Promise<unknown[]> {
  const list = (await recordedEvents(database.pool)) as { object: { title: string }; principal: { id: string } }[];
  expect(list.every(({ principal }) => principal.id === 'user-7')).toBe(true);
  return list.map(({ object }) => object.title);
}

it('lets everything of the DataSource join the transaction of the recorder, and leaves it afterwards', async () => {
  const failed = recorder.transaction(async () => {
    await create('repository');
    await dataSource.createQueryBuilder().insert().into(Order).values({ title: 'query builder' }).execute();
    await dataSource.query("insert into orders (title) values ('query')");
    await dataSource.manager.save(Order, { title: 'manager' });
    await dataSource.transaction((manager) => manager.save(Order, { title: 'savepoint' }));
    expect(await dataSource.getRepository(Order).count()).toBe(5);
    expect(await titles()).toEqual([]);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await titles()).toEqual([]);
  await dataSource.getRepository(Order).save({ title: 'outside' });
  expect(await titles()).toEqual(['outside']);
});

it('joins a transaction of dataSource.transaction(), also with an isolation level', async () => {
  await dataSource.transaction('REPEATABLE READ', async (manager) => {
    await manager.save(Order, { title: 'by hand' });
    await create('recorded');
    expect(await titles()).toEqual([]);
    const [{ level }] = (await dataSource.transaction((nested) =>
      nested.query("select current_setting('transaction_isolation') as level"),
    )) as [{ level: string }];
    // Only the recorder's transactions change what the rest of the application does.
    expect(level).toBe('read committed');
  });
  expect(await titles()).toEqual(['by hand', 'recorded']);
  expect(await recordedTitles()).toEqual(['recorded']);
  const failed = dataSource.transaction(async () => {
    await create('undone');
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await recordedTitles()).toEqual(['recorded']);
});

it('joins a manager that typeorm-transactional puts in the place of that of the DataSource', async () => {
  const { manager: original } = dataSource;
  await original.transaction(async (manager) => {
    Object.defineProperty(dataSource, 'manager', { configurable: true, writable: true, value: manager });
    try {
      await create('recorded');
      expect(await titles()).toEqual([]);
    } finally {
      Object.defineProperty(dataSource, 'manager', { configurable: true, writable: true, value: original });
    }
  });
  expect(await recordedTitles()).toEqual(['recorded']);
});

it('undoes with a savepoint what has failed, and keeps the rest', async () => {
  await recorder.transaction(async () => {
    await create('kept');
    const part = dataSource.transaction(async () => {
      await create('undone');
      throw new Error('a part fails');
    });
    await expect(part).rejects.toThrow('a part fails');
    await create('kept too');
  });
  expect(await titles()).toEqual(['kept', 'kept too']);
  expect(await recordedTitles()).toEqual(['kept', 'kept too']);
});

it('does not commit where a method disposes of a query runner, as "await using" does', async () => {
  const failed = recorder.recordChange(orders, 1, async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.save(Order, { id: 1, title: 'without an event' });
    await runner[Symbol.asyncDispose]();
    expect(await titles()).toEqual([]);
    throw new Error('after the query runner');
  });
  await expect(failed).rejects.toThrow('after the query runner');
  expect(await titles()).toEqual([]);
  await recorder.recordChange(orders, 2, async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query("insert into orders (id, title) values (2, 'with its event')");
    await runner[Symbol.asyncDispose]();
  });
  expect(await titles()).toEqual(['with its event']);
  expect(await recordedTitles()).toEqual(['with its event']);
});

it.each(['commitTransaction', 'rollbackTransaction'] as const)(
  'does not end its transaction by %s of a query runner that has begun none',
  async (end) => {
    const failed = recorder.recordChange(orders, 1, async () => {
      await dataSource.getRepository(Order).save({ id: 1, title: 'without an event' });
      const runner = dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner[end]();
      expect(runner.isTransactionActive).toBe(true);
      await runner[end]();
    });
    await expect(failed).rejects.toThrow(`${end}() would end the transaction of the outbox recorder.`);
    expect(await titles()).toEqual([]);
    expect(await recordedTitles()).toEqual([]);
  },
);

it('does not mix up transactions that run side by side', async () => {
  const failing = async (title: string): Promise<void> => {
    const failed = recorder.transaction(async () => {
      await create(title);
      throw new Error(title);
    });
    await expect(failed).rejects.toThrow(title);
  };
  const names = Array.from({ length: 20 }, (_, index) => `order ${index}`);
  await Promise.all(names.map((title, index) => (index % 2 === 0 ? create(title) : failing(title))));
  const kept = names.filter((_, index) => index % 2 === 0);
  expect(new Set(await titles())).toEqual(new Set(kept));
  expect(new Set(await recordedTitles())).toEqual(new Set(kept));
});

it('is set up once for a DataSource', () => {
  expect(transactions(dataSource)).toBe(transactions(dataSource));
});
