import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemSchema } from '../../src/http/problem-document.js';
import type { TestResponse } from '../support/api-client.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { createFixtures, document, fillPath, operations, type Fixtures, type Operation } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
});
afterAll(() => api.close());

/**
 * Every run generates the same requests, unless FUZZ_SEED sets another seed. fast-check prints the seed on a failure.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101);
/** Number of generated requests, about: `FUZZ_REQUESTS=1000000 npm run test:fuzz`. Default: some thousand. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 0);
const PROGRESS_EVERY = 10_000;
const HANGS_AFTER_MS = 60_000;
/**
 * Most CPU time of a request of a hostile size, as a multiple of the reference: of client, service and the garbage that
 * both make.
 */
const MOST_CPU = 3;

/** Values that match no schema. */
const oddities: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  Number.MAX_SAFE_INTEGER + 2,
  1e308,
  2 ** 31,
  '',
  ' ',
  '\0',
  'a\r\nb: c',
  '\ud800',
  '\u202e\u0301👩‍👩‍👧',
  'ß'.repeat(3_000),
  `${'a.'.repeat(200)}example.com`,
  'xn--\u0000',
  '٣',
  '2026-02-30T25:00:00Z',
  '99999999999999999999999/999',
  '$1 %s {{x}} ${y} \\',
  [],
  [[[]]],
  {},
  { toString: 'x', constructor: { prototype: 1 } },
  JSON.parse('{"__proto__":{"enabled":true}}'),
  Array.from({ length: 500 }, (_, index) => `ipp_${index}`),
  Array.from({ length: 40 }).reduce<unknown>((inner) => [{ inner }], 1),
  'ß'.repeat(100_000),
];

/** Values of a whole body: each for another check that may take more than linear time. */
const hostileSizes: readonly unknown[] = [
  'a'.repeat(240_000),
  'ａ.'.repeat(60_000),
  '\\pL'.repeat(60_000),
  'xn--'.repeat(60_000),
  '[{"":'.repeat(12_000),
  'a:b,'.repeat(60_000),
  '<a>'.repeat(80_000),
  `-----BEGIN PRIVATE KEY-----${'A'.repeat(200_000)}-----END PRIVATE KEY-----`,
  Array.from({ length: 60_000 }, (_, index) => index),
  Array.from({ length: 20_000 }, (_, index) => `a${index}`),
  Array.from({ length: 30_000 }, () => ({})),
  Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`name-${index}`, ''])),
  { ['n'.repeat(120_000)]: 'v'.repeat(120_000) },
];

/** Texts that are not JSON objects. */
const wrongTexts = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '0',
  '{',
  '{"description":1e999}',
  '{"description":-0.0e-999}',
  '{"metadata":"\\ud83d"}',
  '{"id":"a","id":"b"}',
  '\ufeff{}',
  `{"metadata":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`,
  `{"metadata":${'['.repeat(30)}${']'.repeat(30)}}`,
  `{${Array.from({ length: 2_000 }, (_, index) => `"f${index}":0`).join(',')}}`,
];

const wrongIds = [
  '%00',
  '%20',
  '%C3%A9',
  '%E0%A4%A',
  '..%2f..%2fapi_keys',
  'ak_',
  'ipp_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  `ipp_${'0'.repeat(26)}`,
  'x'.repeat(2_000),
  "'%20or%201=1--",
  '__proto__',
  'null',
];

const wrongQueries = [
  '?limit=0',
  '?limit=1e3',
  '?limit=99999999999999999999',
  '?limit=1&limit=2',
  '?limit[]=1',
  '?before_id=',
  '?before_id=%00',
  '?before_id=%ED%A0%80',
  '?before_id=nonsense&limit=3',
  '?type=__proto__',
  '?type=%00',
  '?__proto__[x]=1',
  '?%',
  '?colour=red',
];

const wrongHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'if-match': '"v99999999999999999999"' },
  { 'if-match': '' },
  { 'if-match': '*' },
  { 'if-none-match': 'W/"v1", "v2"' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'é' },
  { 'idempotency-key': 'x'.repeat(2_000) },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/merge-patch+json' },
  { 'content-type': ';' },
  { 'content-encoding': 'br' },
  { authorization: 'Bearer ak_.é' },
  { authorization: `Bearer ${'x'.repeat(5_000)}` },
  { 'service-version': '2, 2' },
  { 'x-forwarded-for': 'not an address', forwarded: 'for="_x' },
  { 'user-agent': 'é'.repeat(3_000) },
];

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Values that match a schema, except for its patterns and descriptions. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined)
    return valuesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const examples = schema.example === undefined ? [] : [fc.constant(schema.example)];
  switch (schema.type) {
    case 'object':
      return fc.oneof(...examples, objectsOf(schema));
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 9, 2 ** 31 - 1),
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1, noNaN: true });
    case 'string':
      return fc.oneof(
        ...examples,
        fc.constantFrom(...fixtures.ids),
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ maxLength: 300 }),
      );
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function objectsOf({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<object> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, valuesOf(member)])),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  if (typeof additionalProperties !== 'object') return known;
  const others = fc.dictionary(fc.string({ maxLength: 20 }), valuesOf(additionalProperties), { maxKeys: 3 });
  return fc.tuple(known, others).map(([one, other]) => ({ ...one, ...other }));
}

/** A replacement of one node of a value: `at` selects the node. */
interface Mutation {
  readonly at: number;
  readonly value: unknown;
}

const mutations = fc.array(
  fc.record({ at: fc.nat(), value: fc.oneof(fc.constantFrom(...oddities), fc.jsonValue({ maxDepth: 2 })) }),
  { maxLength: 2 },
);

/** The path of every node of a value, the root included, and of an unknown member of each object. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name])),
    [...path, 'colour'],
  ];
}

function replaceIn(value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown {
  if (name === undefined) return put;
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === name ? replaceIn(inner, rest, put) : inner));
  const inner = (value as Record<string, unknown> | undefined)?.[name];
  return { ...(value as object), [name]: replaceIn(inner, rest, put) };
}

function mutate(body: unknown, { at, value }: Mutation): unknown {
  const paths = pathsIn(body);
  return replaceIn(body, paths[at % paths.length] ?? [], value);
}

/** Bodies that match the schema of the operation, some with mutations, and texts that are not JSON. */
function bodiesOf(operation: Operation): fc.Arbitrary<string | undefined> {
  // A client of the platform sends no body with GET.
  if (operation.method === 'GET') return fc.constant(undefined);
  if (operation.body === undefined)
    return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constantFrom(...wrongTexts));
  const valid = fixtures.bodyOf(operation) ?? {};
  const mutated = fc
    .tuple(fc.oneof(valuesOf(operation.body as Schema), fc.constant(valid)), mutations)
    .map(([body, changes]) => JSON.stringify(changes.reduce(mutate, body)));
  return fc.oneof({ weight: 9, arbitrary: mutated }, fc.constantFrom(...wrongTexts, undefined));
}

/** A generated request. */
interface FuzzedRequest {
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

function rarely<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
}

/**
 * A deletion would remove a fixture of later operations, and a test of a destination would wait for a worker.
 */
function isOnlyForWrongIds({ method, path }: Operation): boolean {
  return (method === 'DELETE' && path.endsWith('}')) || path === '/event_destinations/{id}/test';
}

function requestsOf(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const parameters = fixtures.parametersOf(operation.path);
  const last = isOnlyForWrongIds(operation) ? parameters.length - 1 : undefined;
  const ids = parameters.map((id, index) =>
    index === last ? fc.constantFrom(...wrongIds) : rarely(id, ...wrongIds, ...fixtures.ids),
  );
  return fc
    .record({
      ids: fc.tuple(...ids),
      query: rarely('', ...wrongQueries),
      body: bodiesOf(operation),
      headers: rarely({}, ...wrongHeaders),
    })
    .map(({ ids: given, query, body, headers }) => ({
      path: fillPath(operation.path, given) + query,
      body,
      headers,
    }));
}

/** Number of runs: an operation with a body has more ways to fail. */
const usualRuns = ({ body }: Operation) => (body === undefined ? 5 : 24);
const usualRequests = operations.reduce((sum, operation) => sum + usualRuns(operation), 0);
const runsOf = (operation: Operation) => Math.ceil(usualRuns(operation) * Math.max(1, REQUESTS / usualRequests));

const named = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

function expectDocumented(operation: Operation, path: string, response: TestResponse): void {
  const message = `${operation.method} ${path} returned ${response.status}: ${response.text.slice(0, 2_000)}`;
  if (response.status < 400) {
    expect(operation.statuses, message).toContain(response.status);
    return;
  }
  expect(response.status, message).toBeLessThan(500);
  expect(response.headers.get('content-type'), message).toBe('application/problem+json; charset=utf-8');
  expect(problemSchema.strict().parse(response.body).status).toBe(response.status);
}

describe.concurrent('a generated request', () => {
  let sent = 0;
  const startedAt = performance.now();
  const report = () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`${sent} requests in ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)} per second`);
  };
  afterAll(() => {
    if (REQUESTS > 0) report();
  });

  for (const [name, operation] of named) {
    const numRuns = runsOf(operation);
    const timeout = 120_000 + numRuns * 250;
    it(`to ${name} gets a documented response`, { timeout }, async () => {
      await fc.assert(
        fc.asyncProperty(requestsOf(operation), async ({ path, body, headers }) => {
          sent += 1;
          if (sent % PROGRESS_EVERY === 0) report();
          expectDocumented(operation, path, await api.admin.send(operation.method, path, body, headers));
        }),
        { seed: SEED, numRuns, timeout: HANGS_AFTER_MS },
      );
    });
  }
});

/** The paths of the fields of a schema, the first item of each list, and a name of each map. */
function fieldsOf(schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  if (schema.$ref !== undefined)
    return fieldsOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema, path);
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    fieldsOf(member, [...path, name]),
  );
  const names =
    typeof schema.additionalProperties === 'object' ? fieldsOf(schema.additionalProperties, [...path, 'a']) : [];
  return [path, ...members, ...names, ...(schema.anyOf ?? []).flatMap((one) => fieldsOf(one, path))];
}

/** The valid body of an operation, with some hostile size in each field. Over all fields, every size occurs. */
function hostileBodies(operation: Operation): readonly string[] {
  const valid = fixtures.bodyOf(operation) ?? {};
  const all = [...pathsIn(valid), ...fieldsOf(operation.body as Schema)].map((path) => JSON.stringify(path));
  const bodies = [...new Set(all)].flatMap((path, index) =>
    [0, 1, 2].map((step) => {
      const value = hostileSizes[(index * 3 + step) % hostileSizes.length];
      return JSON.stringify(replaceIn(valid, JSON.parse(path) as string[], value));
    }),
  );
  // An unknown member of a list changes nothing.
  return bodies.filter((body) => body !== JSON.stringify(valid));
}

describe('a field of a hostile size', () => {
  let sent = 0;
  let slowest = 0;
  afterAll(() =>
    console.log(`${sent} requests of a hostile size; the slowest took ${slowest.toFixed(1)} references of CPU`),
  );

  for (const [name, operation] of named) {
    if (operation.body === undefined) continue;
    it(`of ${name} is refused, and costs little CPU time`, async () => {
      const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
      for (const body of hostileBodies(operation)) {
        const message = `${name} with ${body.slice(0, 200)}`;
        const time = await cpuTimeOf(async () => {
          const response = await api.admin.send(operation.method, path, body);
          expectDocumented(operation, path, response);
          expect(response.status, message).toBeGreaterThanOrEqual(400);
        }, MOST_CPU);
        sent += 1;
        slowest = Math.max(slowest, time);
        expect(time, message).toBeLessThanOrEqual(MOST_CPU);
      }
    });
  }
});
