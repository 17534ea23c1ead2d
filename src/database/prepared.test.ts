import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
} from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { placeholder, PreparedStatement } from './prepared.js';
import type { Tables } from './tables.js';

let executed: CompiledQuery[];

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  log: ({ query }) => {
    executed.push(query);
  },
});

beforeEach(() => {
  executed = [];
});

test('a value that occurs several times is one parameter', async () => {
  const [first, second] = [placeholder(0), placeholder(1)];
  const statement = new PreparedStatement(sql`select ${second}, ${first}, ${second}, ${'constant'}, ${first}`);
  await statement.execute(db, ['a', 'b']);
  await statement.execute(db, ['c', 'd']);
  expect(executed.map(({ sql: text }) => text)).toEqual(['select $1, $2, $1, $3, $2', 'select $1, $2, $1, $3, $2']);
  expect(executed.map(({ parameters }) => parameters)).toEqual([
    ['b', 'a', 'constant'],
    ['d', 'c', 'constant'],
  ]);
});

test('equal constants stay parameters of their own, since their types may differ', async () => {
  await new PreparedStatement(sql`select ${1}::int, ${1}::text`).execute(db, []);
  expect(executed[0]?.parameters).toEqual([1, 1]);
});
