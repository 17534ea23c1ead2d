import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';

const document: unknown = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

it('the OpenAPI document is valid 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(document as Parameters<Validator['validate']>[0]);
  expect(result.valid, JSON.stringify(result.errors)).toBe(true);
  expect(validator.version).toBe('3.1');
});

it('every operation has a unique id, a summary and error responses', () => {
  const { paths, tags } = document as {
    paths: Record<string, Record<string, { operationId?: string; summary?: string; responses: object }>>;
    tags: { name: string; description: string }[];
  };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(operations.length);
  for (const { operationId, summary, responses } of operations) {
    expect(summary, operationId).toMatch(/\w/);
    expect(
      Object.keys(responses).some((status) => status.startsWith('4')),
      operationId,
    ).toBe(true);
  }
  expect(tags.filter(({ description }) => description === '')).toEqual([]);
});
