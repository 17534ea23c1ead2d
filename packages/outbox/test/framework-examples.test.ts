import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import * as express from '../examples/express.js';
import * as fastify from '../examples/fastify.js';
import * as nestjs from '../examples/nestjs.js';
import { DocumentedExamples, type ExampleSource } from './support/documented-example.js';
import { failingCommits } from './support/failing-commits.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const examples: readonly ExampleSource[] = [
  { name: 'express', page: 'README.md', uses: ['app', 'pool', 'userOf'] },
  { name: 'fastify', page: 'README.md', uses: ['app', 'pool', 'userOf'] },
  {
    name: 'nestjs',
    page: 'README.md',
    uses: ['pool', 'caller'],
    returns: '{ AppModule, OrdersService }',
    types: ['Order'],
  },
];

/** For the compiler, on a machine that is ten times slower. */
const LONG_MS = 600_000;

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

it(
  'have types that fit',
  () => {
    expect(documented.typeErrors(examples.map(({ name }) => name))).toEqual([]);
  },
  LONG_MS,
);

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

interface Running {
  readonly address: string;
  close(): Promise<void>;
}

/** Registers the route of an example, and creates an order that commits and one that does not. Returns the statuses. */
async function createOrders(name: string, context: unknown, listen: () => Promise<Running>): Promise<number[]> {
  await (
    await documented.load(name)
  )(context);
  const running = await listen();
  const post = async (): Promise<number> => {
    const headers = {
      'content-type': 'application/json',
      'x-user': 'user-7',
      'x-request-id': 'r-1',
      'user-agent': 'x'.repeat(2_000),
    };
    const response = await fetch(`${running.address}/orders`, { method: 'POST', headers, body: '{"total": 1200}' });
    await response.text();
    return response.status;
  };
  const committed = await post();
  const refused = await failingCommits(database.pool, 'orders');
  const failed = await post();
  await refused.end();
  await running.close();
  return [committed, failed];
}

const withRequest = { ...recorded, request: { id: 'r-1', ip: '127.0.0.1', user_agent: 'x'.repeat(256) } };

it('Express: the example records who made the change, and from where', async () => {
  const { context, close } = express.open(database.url);
  expect(await createOrders('express', context, () => express.listen(context))).toEqual([201, 500]);
  expect(await recordedEvents(database.pool)).toEqual([withRequest]);
  await close();
});

it('Fastify: the example records who made the change, and from where', async () => {
  const { context, close } = fastify.open(database.url);
  expect(await createOrders('fastify', context, () => fastify.listen(context))).toEqual([201, 500]);
  expect(await recordedEvents(database.pool)).toEqual([withRequest]);
  await close();
});
