import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ProblemKind } from '../../problems/problem.js';
import { describeErrorCode, errorCodes, statusOf } from './error-codes.js';

const source = path.resolve(import.meta.dirname, '..');

function isKind(kind: string): kind is ProblemKind {
  return Object.hasOwn(statusOf, kind);
}

/** Returns kind and code of every problem in the source. */
function problemsInSource(): { file: string; kind: string; code: string }[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  return files.flatMap((file) =>
    [...readFileSync(path.join(source, file), 'utf8').matchAll(/new Problem\(\s*'(\w+)',\s*'(\w+)'/g)].map(
      ([, kind = '', code = '']) => ({ file, kind, code }),
    ),
  );
}

test('every code in the source is documented with the status of its kind', () => {
  const found = problemsInSource();
  expect(found.length).toBeGreaterThan(20);
  const wrong = found.filter(({ kind, code }) => !isKind(kind) || describeErrorCode(code)?.status !== statusOf[kind]);
  expect(wrong).toEqual([]);
});

test('names of inherited object members are not codes', () => {
  expect(describeErrorCode('constructor')).toBeUndefined();
  expect(describeErrorCode('__proto__')).toBeUndefined();
});

test('every code is in snake case and has a meaning', () => {
  for (const [code, { status, title, meaning }] of Object.entries(errorCodes)) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).not.toMatch(/\.$/);
    expect(meaning).toMatch(/\.$/);
  }
});
