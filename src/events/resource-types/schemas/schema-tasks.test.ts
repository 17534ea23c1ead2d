import { expect, it } from 'vitest';
import { SchemaTasks } from './schema-tasks.js';

const schema = { key: 'a', text: '{"type":"object","properties":{"total":{"type":"integer"}}}' };

it('compile a schema once, whatever type it is of', () => {
  const tasks = new SchemaTasks();
  // One object each: however slow the machine is, a task checks one.
  const check = (total: unknown) =>
    tasks.run({ kind: 'objects', schemas: [schema], objects: JSON.stringify([[0, { total }]]) });
  const errors = [{ pointer: '/total', detail: 'must be integer' }];
  expect([check(1), check('1')]).toEqual([
    { kind: 'objects', errors: [null], compiled: 1 },
    { kind: 'objects', errors, compiled: 0 },
  ]);
  // A check of the text would refuse it.
  expect(tasks.run({ kind: 'schema', schema: { ...schema, text: '{"type":"text"}' } })).toEqual({
    kind: 'schema',
    errors: [],
  });
});

it('end after the share of an account, with one object at least', () => {
  const tasks = new SchemaTasks();
  const properties = Object.fromEntries(Array.from({ length: 480 }, (_, index) => [`p${index}`, { type: 'integer' }]));
  const schemas = Array.from({ length: 20 }, (_, index) => ({
    key: `${index}`,
    text: JSON.stringify({ title: `${index}`, type: 'object', properties }),
  }));
  const objects = JSON.stringify(schemas.map((_, index) => [index, {}]));
  const result = tasks.run({ kind: 'objects', schemas, objects });
  if (result.kind !== 'objects') throw new Error('The result is of another kind.');
  expect(result.errors.length).toBeGreaterThanOrEqual(1);
  expect(result.errors.length).toBeLessThan(schemas.length);
});
