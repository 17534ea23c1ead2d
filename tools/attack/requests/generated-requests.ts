import fc from 'fast-check';
import { fillPath, type Operation } from './operations.js';
import { schemaAt, valuesOf, type Schema } from './schema-values.js';

/** What requests are generated from beside the OpenAPI document. */
export interface KnownRequests {
  /** The schemas of the document. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Ids of resources. */
  readonly ids: readonly string[];
  /** The parameters of a path of the document, in order. */
  parametersOf(path: string): readonly string[];
  /** A valid body of an operation; undefined for one without a body. */
  bodyOf(operation: Operation): unknown;
}

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

/** Values that match a schema, except for the patterns and lengths of texts, and the limits of lists and maps. */
function looseValuesOf(schema: Schema, { ids, schemas }: KnownRequests): fc.Arbitrary<unknown> {
  const loose = (): fc.Arbitrary<string> =>
    fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 300 }));
  return valuesOf(schema, { schemas, loose });
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
export function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name])),
    [...path, 'colour'],
  ];
}

export function replaceIn(value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown {
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
function bodiesOf(operation: Operation, known: KnownRequests): fc.Arbitrary<string | undefined> {
  // A client of the platform sends no body with GET.
  if (operation.method === 'GET') return fc.constant(undefined);
  if (operation.body === undefined)
    return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constantFrom(...wrongTexts));
  const valid = known.bodyOf(operation) ?? {};
  const mutated = fc
    .tuple(fc.oneof(looseValuesOf(operation.body as Schema, known), fc.constant(valid)), mutations)
    .map(([body, changes]) => JSON.stringify(changes.reduce(mutate, body)));
  return fc.oneof({ weight: 9, arbitrary: mutated }, fc.constantFrom(...wrongTexts, undefined));
}

/** A generated request. */
export interface GeneratedRequest {
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

/** Returns requests for an operation: valid ones, and ones that are wrong in their path, query, body or headers. */
export function requestsOf(operation: Operation, known: KnownRequests): fc.Arbitrary<GeneratedRequest> {
  const parameters = known.parametersOf(operation.path);
  const last = isOnlyForWrongIds(operation) ? parameters.length - 1 : undefined;
  const ids = parameters.map((id, index) =>
    index === last ? fc.constantFrom(...wrongIds) : rarely(id, ...wrongIds, ...known.ids),
  );
  return fc
    .record({
      ids: fc.tuple(...ids),
      query: rarely('', ...wrongQueries),
      body: bodiesOf(operation, known),
      headers: rarely({}, ...wrongHeaders),
    })
    .map(({ ids: given, query, body, headers }) => ({
      path: fillPath(operation.path, given) + query,
      body,
      headers,
    }));
}

/** The paths of the fields of a schema, the first item of each list, and a name of each map. */
export function fieldsOf(
  schema: Schema,
  schemas: KnownRequests['schemas'],
  path: readonly string[] = [],
): (readonly string[])[] {
  if (schema.$ref !== undefined) return fieldsOf(schemaAt(schema.$ref, schemas), schemas, path);
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    fieldsOf(member, schemas, [...path, name]),
  );
  const names =
    typeof schema.additionalProperties === 'object'
      ? fieldsOf(schema.additionalProperties, schemas, [...path, 'a'])
      : [];
  return [path, ...members, ...names, ...(schema.anyOf ?? []).flatMap((one) => fieldsOf(one, schemas, path))];
}
