import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filterExamples } from './filter-examples.js';

it('has the questions and the conditions of the documentation', async () => {
  const text = await readFile(path.resolve(import.meta.dirname, '../../../../docs/filters.md'), 'utf8');
  const [, table = ''] = /^\| question .*\n\| -.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const documented = table
    .trim()
    .split('\n')
    .map((row) => ({
      question: /^\| ([^|]*[^|\s])/.exec(row)?.[1],
      filters: [...row.matchAll(/`([^`]+)`/g)].map(([, filter]) => filter),
    }));
  expect(documented.length).toBeGreaterThan(5);
  expect(filterExamples).toEqual(documented);
});
