import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as drizzleSetup from '../examples/drizzle.js';
import * as kyselySetup from '../examples/kysely.js';
import * as prismaSetup from '../examples/prisma.js';
import * as typeormSetup from '../examples/typeorm.js';
import type { BoundTo } from '../src/bound-to.js';
import * as drizzle from '../src/drizzle/index.js';
import * as core from '../src/index.js';
import * as kysely from '../src/kysely/index.js';
import { OutboxRecorder, type OutboxTransactions } from '../src/nestjs/index.js';
import * as prisma from '../src/prisma/index.js';
import * as typeorm from '../src/typeorm/index.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const orders = { table: 'orders', type: 'order' };
const event: core.OutboxEvent = { type: 'order_created.v0', resourceId: '1', object: {} };
const refusedEvents: readonly [string, core.OutboxEvent][] = [
  ['an event that the client refuses', { ...event, object: { price: Number.NaN } }],
  ['an event that the database refuses', { ...event, type: 'no type' }],
  ['an object of 60 KB', { ...event, object: { text: 'x'.repeat(60_000) } }],
];

/** A transaction of a library. */
interface Work {
  insert(title: string): Promise<unknown>;
  record(event: core.OutboxEvent): Promise<void>;
  recordChange(work: () => Promise<unknown>): Promise<unknown>;
  /** Runs `work` in a savepoint. */
  nested(work: (nested: Work) => Promise<unknown>): Promise<unknown>;
}

type Begin<Value> = (work: (value: Value) => Promise<unknown>) => Promise<unknown>;

/** How a library begins a transaction itself, and how this package does. */
interface Library {
  readonly own: Begin<Work>;
  readonly ours: Begin<Work>;
}

function library<Transaction>(
  bound: Pick<BoundTo<Transaction>, 'record' | 'recordChange'>,
  insert: (tx: Transaction, title: string) => PromiseLike<unknown>,
  nested: (tx: Transaction) => Begin<Transaction>,
  own: Begin<Transaction>,
  ours: Begin<Transaction>,
): Library {
  const workOf = (tx: Transaction): Work => ({
    insert: async (title) => insert(tx, title),
    record: (refused) => bound.record(tx, refused),
    recordChange: (work) => bound.recordChange(tx, orders, 1, work),
    nested: (work) => nested(tx)((inner) => work(workOf(inner))),
  });
  return { own: (work) => own((tx) => work(workOf(tx))), ours: (work) => ours((tx) => work(workOf(tx))) };
}

const NAMES = ['node-postgres', 'Drizzle', 'Kysely', 'Prisma', 'TypeORM'];
const WITH_SAVEPOINTS = ['node-postgres', 'Drizzle', 'TypeORM'];

let database: TestDatabase;
let dataSource: DataSource;
let close: (() => Promise<void>)[];
let libraries: Record<string, Library>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool, url } = database;
  await pool.query('create table orders (id serial primary key, title text not null, price integer)');
  const [ofDrizzle, ofKysely, ofPrisma, ofTypeorm] = await Promise.all([
    drizzleSetup.open(url),
    kyselySetup.open(url),
    prismaSetup.open(url),
    typeormSetup.open(url),
  ]);
  close = [ofDrizzle.close, ofKysely.close, ofPrisma.close, ofTypeorm.close];
  const { db, ordersTable } = ofDrizzle.context;
  const { db: kyselyDb } = ofKysely.context;
  const { prisma: client } = ofPrisma.context;
  dataSource = ofTypeorm.context.dataSource;
  const without = (): never => {
    throw new Error('This library has no savepoints.');
  };
  libraries = {
    'node-postgres': library<PoolClient>(
      core,
      (tx, title) => tx.query('insert into orders (title) values ($1)', [title]),
      (tx) => (work) => inSavepoint(tx, () => work(tx)),
      (work) => committed(pool, work),
      (work) => core.transaction(pool, {}, work),
    ),
    Drizzle: library<Parameters<Parameters<typeof db.transaction>[0]>[0]>(
      drizzle,
      (tx, title) => tx.insert(ordersTable).values({ title }),
      (tx) => (work) => tx.transaction(work),
      (work) => db.transaction(work),
      (work) => drizzle.transaction(db, {}, work),
    ),
    Kysely: library<Parameters<Parameters<ReturnType<typeof kyselyDb.transaction>['execute']>[0]>[0]>(
      kysely,
      (tx, title) => tx.insertInto('orders').values({ title }).execute(),
      without,
      (work) => kyselyDb.transaction().execute(work),
      (work) => kysely.transaction(kyselyDb, {}, work),
    ),
    Prisma: library<Omit<typeof client, `$${'connect' | 'disconnect' | 'on' | 'use' | 'extends' | 'transaction'}`>>(
      prisma,
      (tx, title) => tx.order.create({ data: { title } }),
      without,
      (work) => client.$transaction(work),
      (work) => prisma.transaction(client, {}, work),
    ),
    TypeORM: library<EntityManager>(
      typeorm,
      (tx, title) => tx.save(typeormSetup.Order, { title }),
      (tx) => (work) => tx.transaction(work),
      (work) => dataSource.transaction(work),
      (work) => typeorm.transaction(dataSource, {}, work),
    ),
  };
});
beforeEach(() => database.pool.query('truncate orders, waybill_outbox.events restart identity'));
afterAll(async () => {
  await Promise.all(close.map((end) => end()));
  await database.close();
});

/** Commits, whatever has failed, as a library does. */
async function committed(pool: TestDatabase['pool'], work: (client: PoolClient) => Promise<unknown>): Promise<unknown> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    client.release();
  }
}

async function inSavepoint(client: PoolClient, work: () => Promise<unknown>): Promise<unknown> {
  await client.query('savepoint inner_one');
  try {
    return await work();
  } catch (error) {
    await client.query('rollback to savepoint inner_one');
    throw error;
  }
}

async function titles(): Promise<string[]> {
  const { rows } = await database.pool.query<{ title: string }>('select title from orders order by id');
  return rows.map(({ title }) => title);
}

/** As an application that catches an error and goes on. */
async function caught(promise: Promise<unknown>): Promise<void> {
  const failed = await promise.then(
    () => false,
    () => true,
  );
  expect(failed).toBe(true);
}

function libraryOf(name: string): Library {
  const found = libraries[name];
  if (!found) throw new Error(name);
  return found;
}

describe.each(NAMES)('%s', (name) => {
  it.each(refusedEvents)('cannot commit a change after %s, though the error is caught', async (_, refused) => {
    const { own, ours } = libraryOf(name);
    const work = async (tx: Work): Promise<void> => {
      await tx.insert('without an event');
      await caught(tx.record(refused));
    };
    // Some libraries notice it, others report a commit.
    await own(work).catch(() => undefined);
    expect(await titles()).toEqual([]);
    await expect(ours(work)).rejects.toThrow('The transaction was rolled back, because a statement of it failed.');
    expect(await titles()).toEqual([]);
    expect(await recordedEvents(database.pool)).toEqual([]);
  });

  it('cannot commit a change whose recordChange has failed, though the error is caught', async () => {
    const { own } = libraryOf(name);
    const work = async (tx: Work): Promise<void> => {
      const changed = tx.recordChange(async () => {
        await tx.insert('without an event');
        throw new Error('after the change');
      });
      await expect(changed).rejects.toThrow('after the change');
    };
    await own(work).catch(() => undefined);
    expect(await titles()).toEqual([]);
  });

  it.runIf(WITH_SAVEPOINTS.includes(name))('undoes the change and the failure with a savepoint', async () => {
    const { ours } = libraryOf(name);
    await ours(async (tx) => {
      await tx.recordChange(() => tx.insert('kept'));
      for (const [, refused] of refusedEvents) {
        const part = tx.nested(async (nested) => {
          await nested.insert('undone');
          await nested.record(refused);
        });
        await caught(part);
      }
    });
    expect(await titles()).toEqual(['kept']);
    expect(await recordedEvents(database.pool)).toMatchObject([{ object: { title: 'kept' } }]);
  });
});

describe('OutboxRecorder', () => {
  /** As `run: runInTransaction` of typeorm-transactional: an inner call joins the transaction of the outer one. */
  function required(): { recorder: OutboxRecorder; run: OutboxTransactions['run']; current: () => EntityManager } {
    const storage = new AsyncLocalStorage<EntityManager>();
    const current = (): EntityManager => {
      const manager = storage.getStore();
      if (!manager) throw new Error('There is no transaction.');
      return manager;
    };
    const run: OutboxTransactions['run'] = (work) =>
      storage.getStore() ? work() : dataSource.transaction((manager) => storage.run(manager, work));
    return { recorder: new OutboxRecorder({ current: () => storage.getStore(), run }, () => ({})), run, current };
  }

  it.each(refusedEvents)(
    'commits nothing after %s in an inner transaction, though the outer one catches',
    async (_, refused) => {
      const { recorder, run, current } = required();
      const inner = (): Promise<void> =>
        recorder.transaction(async () => {
          await current().save(typeormSetup.Order, { title: 'without an event' });
          await recorder.record(refused);
        });
      // The outer transaction is the application's, and then the recorder's.
      await run(() => caught(inner()));
      expect(await titles()).toEqual([]);
      const outer = recorder.transaction(() => caught(inner()));
      await expect(outer).rejects.toThrow('The transaction was rolled back, because a part of it failed.');
      expect(await titles()).toEqual([]);
    },
  );

  it('commits nothing after an error of an inner transaction that recorded nothing', async () => {
    const { recorder, run, current } = required();
    const inner = (): Promise<void> =>
      recorder.transaction(async () => {
        await current().save(typeormSetup.Order, { title: 'without an event' });
        throw new Error('before the event');
      });
    await run(() => caught(inner()));
    expect(await titles()).toEqual([]);
  });
});
