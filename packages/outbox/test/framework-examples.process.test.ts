import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import * as express from '../examples/express.js';
import * as fastify from '../examples/fastify.js';
import * as nestjsTypeorm from '../examples/nestjs-typeorm.js';
import * as nestjs from '../examples/nestjs.js';
import { DocumentedExamples } from './support/documented-example.js';
import { frameworkExamples } from './support/examples.js';
import { failingCommits } from './support/failing-commits.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const orders = { table: 'orders', type: 'order' };

let documented: DocumentedExamples;
let database: TestDatabase;

beforeAll(async () => {
  documented = await DocumentedExamples.write(frameworkExamples);
});
afterAll(() => documented.remove());
beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table orders (id serial primary key, title text not null, price integer)');
});
afterEach(() => database.close());

const recorded = {
  type: 'order_created.v0',
  resource_id: '1',
  object: { id: 1, title: 'x', price: null },
  principal: { id: 'user-7' },
};
const renamed = {
  ...recorded,
  type: 'order_updated.v0',
  object: { id: 1, title: 'y', price: 7 },
  changes: { before: { title: 'x' }, after: { title: 'y' } },
};

it('NestJS: the example records the event of a change that commits, and none of a change that does not', async () => {
  const { context, close } = nestjs.open(database.url);
  await database.pool.query("insert into orders (title, price) values ('x', 7)");
  const declared = (await (await documented.load('nestjs'))({ ...context, orders })) as nestjs.Declared;
  await nestjs.rename(declared, context, 1, 'y');
  const refused = await failingCommits(database.pool, 'orders');
  await expect(nestjs.rename(declared, context, 1, 'z')).rejects.toThrow('the commit is refused');
  await refused.end();
  expect(await recordedEvents(database.pool)).toEqual([renamed]);
  await close();
});

it('NestJS with TypeORM: the example records whole rows, and the user that the guard has found', async () => {
  const { context, close } = await nestjsTypeorm.open(database.url);
  const declared = (await (await documented.load('nestjs-typeorm'))({ ...context, orders })) as nestjsTypeorm.Declared;
  const running = await nestjsTypeorm.listen(declared);
  const send = async (method: string, address: string, title: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-user': 'user-7' };
    const response = await fetch(`${running.address}${address}`, { method, headers, body: JSON.stringify({ title }) });
    await response.text();
    return response.status;
  };
  expect(await send('POST', '/orders', 'x')).toBe(201);
  await database.pool.query('update orders set price = 7');
  expect(await send('PATCH', '/orders/1', 'y')).toBe(200);
  const refused = await failingCommits(database.pool, 'orders');
  expect(await send('PATCH', '/orders/1', 'z')).toBe(500);
  await refused.end();
  const request = { id: expect.any(String), ip: '127.0.0.1' };
  expect(await recordedEvents(database.pool)).toEqual([
    { ...recorded, request },
    { ...renamed, request },
  ]);
  expect((await database.pool.query('select * from orders')).rows).toEqual([renamed.object]);
  await running.close();
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
    const response = await fetch(`${running.address}/orders`, { method: 'POST', headers, body: '{"title": "x"}' });
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
  expect(await createOrders('express', { ...context, orders }, () => express.listen(context))).toEqual([201, 500]);
  expect(await recordedEvents(database.pool)).toEqual([withRequest]);
  await close();
});

it('Fastify: the example records who made the change, and from where', async () => {
  const { context, close } = fastify.open(database.url);
  expect(await createOrders('fastify', { ...context, orders }, () => fastify.listen(context))).toEqual([201, 500]);
  expect(await recordedEvents(database.pool)).toEqual([withRequest]);
  await close();
});
