import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentedExamples, exampleLines, type ExampleSource } from './support/documented-example.js';
import { frameworkExamples, libraryExamples, ownEventExample } from './support/examples.js';
import { failingCommits } from './support/failing-commits.js';
import { createTestDatabase, inTransaction, recordedEvents, type TestDatabase } from './support/test-database.js';

/** Those of the frameworks too: one program checks the types of all. */
const examples = [...libraryExamples, ownEventExample, ...frameworkExamples];

const orders = { table: 'orders', type: 'order', exclude: ['card_token'] };
const user = { id: 'user-7' };

interface Opened {
  readonly context: object;
  close(): Promise<void>;
}

/** For the compiler, on a machine that is ten times slower. */
const LONG_MS = 600_000;

let documented: DocumentedExamples;

beforeAll(async () => {
  documented = await DocumentedExamples.write(examples);
});
afterAll(() => documented.remove());

it(
  'have types that fit',
  () => {
    expect(documented.typeErrors(examples.map(({ name }) => name))).toEqual([]);
  },
  LONG_MS,
);

/** Creates the tables, with an order whose columns the libraries know in part. */
async function withOrder(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await database.pool.query(`
    create table orders (id serial primary key, title text not null, price integer, card_token text,
      created_at timestamptz not null default now());
    create table lines (order_id integer not null, sku text not null, quantity integer not null);
    insert into orders (title, price, card_token) values ('x', 7, 'secret');
    insert into lines values (1, 'a', 2);`);
  return database;
}

async function opened({ name, setup = name }: ExampleSource, database: TestDatabase): Promise<Opened> {
  const module = (await import(path.resolve(import.meta.dirname, `../examples/${setup}.ts`))) as {
    open: (url: string) => Promise<Opened>;
  };
  return module.open(database.url);
}

/** Returns the order as its events show it. */
async function storedOrder({ pool }: TestDatabase): Promise<unknown> {
  return inTransaction(pool, async (client) => {
    await client.query("set local timezone = 'UTC'");
    const { rows } = await client.query<{ object: unknown }>(
      "select to_jsonb(orders) - 'card_token' as object from orders",
    );
    return rows[0]?.object;
  });
}

describe.each(libraryExamples)('the example for $name', (source) => {
  let database: TestDatabase;
  let library: Opened;

  beforeAll(async () => {
    database = await withOrder();
    library = await opened(source, database);
  });
  afterAll(async () => {
    await library.close();
    await database.close();
  });

  it('records the whole row after a partial update, nothing where nothing changed, and nothing of a rollback', async () => {
    const example = await documented.load(source.name);
    const rename = (title: string): Promise<unknown> => example({ ...library.context, orders, user, id: 1, title });
    await rename('y');
    const recorded = [
      {
        type: 'order_updated.v0',
        resource_id: '1',
        object: await storedOrder(database),
        changes: { before: { title: 'x' }, after: { title: 'y' } },
        principal: user,
      },
    ];
    expect(recorded[0]?.object).toMatchObject({ id: 1, title: 'y', price: 7 });
    expect(await recordedEvents(database.pool)).toEqual(recorded);

    await rename('y');
    expect(await recordedEvents(database.pool)).toEqual(recorded);

    const refused = await failingCommits(database.pool, 'orders');
    await expect(rename('z')).rejects.toThrow(/the commit is refused|Failed query: commit/);
    await refused.end();
    expect(await recordedEvents(database.pool)).toEqual(recorded);
    expect(await storedOrder(database)).toMatchObject({ title: 'y' });
  });

  it('is short', async () => {
    const lines = await exampleLines(source);
    expect(lines.filter((line) => line !== '' && !line.startsWith('import ')).length).toBeLessThanOrEqual(3);
  });
});

it('the example for events of your own records a whole object', async () => {
  const database = await withOrder();
  const library = await opened(ownEventExample, database);
  await (
    await documented.load(ownEventExample.name)
  )({ ...library.context, user, id: 1, title: 'y' });
  const [event] = await recordedEvents(database.pool);
  expect(event).toMatchObject({
    type: 'order_updated.v0',
    resource_id: '1',
    object: { id: 1, title: 'y', price: 7, lines: [{ sku: 'a', quantity: 2 }] },
    principal: user,
  });
  await library.close();
  await database.close();
});
