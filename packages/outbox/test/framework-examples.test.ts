import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import * as nestjs from '../examples/nestjs.js';
import { DocumentedExamples, type ExampleSource } from './support/documented-example.js';
import { failingCommits } from './support/failing-commits.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const examples: readonly ExampleSource[] = [
  {
    name: 'nestjs',
    page: 'README.md',
    uses: ['pool', 'caller'],
    returns: '{ AppModule, OrdersService }',
    types: ['Order'],
  },
];

let documented: DocumentedExamples;
let database: TestDatabase;

beforeAll(async () => {
  documented = await DocumentedExamples.write(examples);
});
afterAll(() => documented.remove());
beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table orders (id serial primary key, total integer not null)');
});
afterEach(() => database.close());

it('have types that fit', () => {
  expect(documented.typeErrors(examples.map(({ name }) => name))).toEqual([]);
});

const recorded = {
  type: 'order_created.v0',
  resource_id: '1',
  object: { id: 1, total: 1200 },
  principal: { id: 'user-7' },
};

it('NestJS: the example records the event of a change that commits, and none of a change that does not', async () => {
  const { context, close } = nestjs.open(database.url);
  const declared = (await (await documented.load('nestjs'))(context)) as nestjs.Declared;
  expect(await nestjs.createOrder(declared, context)).toEqual({ id: 1, total: 1200 });
  const refused = await failingCommits(database.pool, 'orders');
  await expect(nestjs.createOrder(declared, context)).rejects.toThrow('the commit is refused');
  await refused.end();
  expect(await recordedEvents(database.pool)).toEqual([recorded]);
  await close();
});
