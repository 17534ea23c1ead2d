import { noteKey } from '@waybill/verify';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.js';
import { LogReader } from './log-reader.js';

test('requests for the keys that wait share one statement', async () => {
  let statements = 0;
  const all = async () => {
    statements += 1;
    return [noteKey('waybill.example.com', Buffer.alloc(32, 1))];
  };
  // The keys are read through their owner, never from the database.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const reader = new LogReader({} as Database, { all });
  const responses = await Promise.all(Array.from({ length: 500 }, () => reader.verifierKeys()));
  expect(new Set(responses).size).toBe(1);
  expect(statements).toBe(1);
  await reader.verifierKeys();
  expect(statements).toBe(2);
});
