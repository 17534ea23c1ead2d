import type { ExampleSource } from './documented-example.js';

const PAGE = 'README.md';
const parameters = ['orders', 'user', 'id', 'title'];

/** An update of a row, with each library. */
export const libraryExamples: readonly ExampleSource[] = [
  { name: 'node-postgres', page: PAGE, uses: ['pool', ...parameters] },
  { name: 'kysely', page: PAGE, uses: ['db', ...parameters] },
  { name: 'drizzle', page: PAGE, uses: ['db', 'ordersTable', ...parameters] },
  { name: 'prisma', page: PAGE, uses: ['prisma', ...parameters] },
  { name: 'typeorm', page: PAGE, uses: ['dataSource', 'Order', ...parameters] },
];

/** An event of the application's own. */
export const ownEventExample: ExampleSource = {
  name: 'record',
  setup: 'node-postgres',
  page: PAGE,
  uses: ['pool', 'user', 'id', 'title'],
};

/** A route of each framework. */
export const frameworkExamples: readonly ExampleSource[] = [
  { name: 'express', page: PAGE, uses: ['app', 'pool', 'orders', 'userOf'] },
  { name: 'fastify', page: PAGE, uses: ['app', 'pool', 'orders', 'userOf'] },
  { name: 'nestjs', page: PAGE, uses: ['pool', 'orders', 'caller'], returns: '{ AppModule, OrdersService }' },
  {
    name: 'nestjs-typeorm',
    page: PAGE,
    uses: ['DatabaseModule', 'Order', 'orders'],
    returns: '{ AppModule, OrdersService }',
  },
];
