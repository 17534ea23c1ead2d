import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Problem } from '../../problems/problem.js';
import { parseInput } from '../input/validation.js';
import { JsonItem, page, pageParametersOf, type PageInput } from './pagination.js';

const idOnly = z.object({ id: z.string() });
const thingsPage = z.object({
  things: z.array(idOnly),
  uri: z.string(),
  next_page_uri: z.string().nullable(),
});

/** The query of a list whose ids have any form. */
const pageQuery = z.strictObject(pageParametersOf('thing', ''));

const BASE_URL = 'https://waybill.example';

function parse(search: string) {
  return parseInput(pageQuery, Object.fromEntries(new URLSearchParams(search)), 'query');
}

function errorsOf(search: string) {
  try {
    parse(search);
  } catch (error) {
    if (error instanceof Problem) return error.errors;
    throw error;
  }
  return [];
}

const bodyOf = (input: PageInput): unknown => JSON.parse(page(input).toJson());

test('next_page_uri leads to every item once, newest first, in pages of the requested size', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z0-9_&=%+ é]{1,8}$/), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (names, limit) => {
        const newestFirst = names.toSorted((a, b) => (a < b ? 1 : -1)).map((id) => ({ id }));
        const seen: string[] = [];
        let uri: string | null = `${BASE_URL}/things?limit=${limit}&state=a%26b`;
        let pages = 0;
        while (uri !== null) {
          const { searchParams } = new URL(uri);
          expect(searchParams.get('state')).toBe('a&b');
          searchParams.delete('state');
          const { limit: size, before_id: before } = parse(searchParams.toString());
          const items = newestFirst.filter(({ id }) => before === undefined || id < before).slice(0, size + 1);
          const response = bodyOf({
            items,
            limit: size,
            listKey: 'things',
            path: '/things',
            baseUrl: BASE_URL,
            query: { state: 'a&b', none: undefined },
          });
          const { things, uri: self, next_page_uri: next } = thingsPage.parse(response);
          expect(self).toBe(`${BASE_URL}/things`);
          seen.push(...things.map(({ id }) => id));
          uri = next;
          pages += 1;
        }
        expect(seen).toEqual(newestFirst.map(({ id }) => id));
        expect(pages).toBe(Math.max(1, Math.ceil(names.length / limit)));
      },
    ),
  );
});

test('a full last page has no next page', () => {
  const items = [{ id: 'b' }, { id: 'a' }];
  expect(bodyOf({ items, limit: 2, listKey: 'x', path: '/x', baseUrl: BASE_URL })).toEqual({
    x: items,
    uri: `${BASE_URL}/x`,
    next_page_uri: null,
  });
  expect(bodyOf({ items, limit: 1, listKey: 'x', path: '/x', baseUrl: BASE_URL })).toEqual({
    x: [{ id: 'b' }],
    uri: `${BASE_URL}/x`,
    next_page_uri: `${BASE_URL}/x?before_id=b&limit=1`,
  });
});

test('a page ends with the item that reaches its bytes, and leads to the item behind it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: 'binary', maxLength: 40 }), isJson: fc.boolean() }), {
        maxLength: 30,
      }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 200 }),
      (given, limit, bytes) => {
        const all = given.map(({ text, isJson }, index) => ({ id: `i_${index}`, text, isJson }));
        const seen: unknown[] = [];
        for (let begin = 0; ;) {
          const items = all
            .slice(begin, begin + limit + 1)
            .map((item) => (item.isJson ? new JsonItem(item.id, JSON.stringify(item)) : item));
          const body = bodyOf({ items, limit, listKey: 'x', path: '/x', baseUrl: BASE_URL, oldestFirst: true, bytes });
          const { x, next_page_uri: next } = body as { x: { id: string }[]; next_page_uri: string | null };
          const sizes = x.map((item) => Buffer.byteLength(JSON.stringify(item)));
          expect(sizes.slice(0, -1).reduce((sum, size) => sum + size, 0)).toBeLessThan(bytes);
          seen.push(...x);
          begin += x.length;
          expect(next === null).toBe(begin === all.length);
          if (next === null) break;
          expect(new URL(next).searchParams.get('after_id')).toBe(x.at(-1)?.id);
        }
        expect(seen).toEqual(all);
      },
    ),
  );
});

test('the limit is 1 to 100 and defaults to 100', () => {
  expect(parse('')).toEqual({ limit: 100 });
  expect(parse('limit=1')).toEqual({ limit: 1 });
  expect(parse('limit=100&before_id=x')).toEqual({ limit: 100, before_id: 'x' });
  for (const wrong of ['0', '101', '-1', '1.5', '1e1', '0x10', ' 5', '', 'many', '99999999999']) {
    expect(errorsOf(`limit=${wrong}`)).toEqual([{ pointer: '?limit', detail: 'must be a whole number from 1 to 100' }]);
  }
});

test('all unknown parameters are listed', () => {
  expect(errorsOf('limit=7&page=2&cursor=x')).toEqual([
    { pointer: '?page', detail: 'is unknown' },
    { pointer: '?cursor', detail: 'is unknown' },
  ]);
  expect(errorsOf('before_id=')).toEqual([{ pointer: '?before_id', detail: 'must not be empty' }]);
});

test('a repeated parameter is refused', () => {
  expect(() => parseInput(pageQuery, { limit: ['1', '2'] }, 'query')).toThrow(/limit/);
  expect(() => parseInput(pageQuery, { before_id: ['a', 'b'] }, 'query')).toThrow(/must be given once/);
});
