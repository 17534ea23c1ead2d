import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentedExamples, exampleLines, type ExampleSource } from './support/documented-example.js';
import { failingCommits } from './support/failing-commits.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const README = 'README.md';
const examples: readonly ExampleSource[] = [
  { name: 'node-postgres', page: README, uses: ['client'] },
  { name: 'kysely', page: README, uses: ['db'] },
  { name: 'drizzle', page: README, uses: ['db', 'orders'] },
  { name: 'prisma', page: README, uses: ['prisma'] },
  { name: 'typeorm', page: README, uses: ['dataSource', 'Order'] },
];

interface Opened {
  readonly context: unknown;
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

describe.each(examples)('the example for $name', (source) => {
  let database: TestDatabase;
  let opened: Opened;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query('create table orders (id serial primary key, total integer not null)');
    const module = (await import(path.resolve(import.meta.dirname, `../examples/${source.name}.ts`))) as {
      open: (url: string) => Promise<Opened>;
    };
    opened = await module.open(database.url);
  });
  afterAll(async () => {
    await opened.close();
    await database.close();
  });

  it('records the event of a change that commits, and none of a change that does not', async () => {
    const example = await documented.load(source.name);
    await example(opened.context);
    const recorded = [{ type: 'order_created.v0', resource_id: '1', object: { id: 1, total: 1200 } }];
    expect(await recordedEvents(database.pool)).toEqual(recorded);

    const refused = await failingCommits(database.pool, 'orders');
    await expect(example(opened.context)).rejects.toThrow(/the commit is refused|Failed query: commit/);
    await refused.end();
    expect(await recordedEvents(database.pool)).toEqual(recorded);
    const { rows } = await database.pool.query('select count(*)::integer as orders from orders');
    expect(rows).toEqual([{ orders: 1 }]);
  });

  it('is short', async () => {
    const lines = await exampleLines(source);
    expect(lines.filter((line) => line !== '' && !line.startsWith('import ')).length).toBeLessThanOrEqual(5);
  });
});
