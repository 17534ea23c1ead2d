import { expect, it } from 'vitest';
import { isStoreFailure } from './store-failure.js';

const withCode = (code: string) => Object.assign(new Error('as Postgres says'), { code });

it('recognizes a lack of disk space, memory or connections, and a server that is read-only', () => {
  for (const code of ['25006', '53000', '53100', '53200', '53300', '08006', '57P01', 'ECONNREFUSED'])
    expect(isStoreFailure(withCode(code)), code).toBe(true);
});

it('recognizes a share of the pool without a free connection', () => {
  expect(isStoreFailure(new Error('No connection of this share was free for 10 s.'))).toBe(true);
});

it('recognizes a store failure in the causes of an error', () => {
  expect(isStoreFailure(new Error('the change was not made', { cause: withCode('53100') }))).toBe(true);
  expect(isStoreFailure(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true);
});

it('does not take other errors for a store failure', () => {
  for (const code of ['23505', '42601', '22001']) expect(isStoreFailure(withCode(code)), code).toBe(false);
  expect(isStoreFailure(new TypeError('undefined is not a function'))).toBe(false);
  expect(isStoreFailure('53100')).toBe(false);
});
