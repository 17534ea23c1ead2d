import fc from 'fast-check';
import { expect, it } from 'vitest';
import { publishingLimits } from '../../src/events/publishing/publishing-limits.js';
import { redactionErrors } from '../../src/events/resource-types/redaction-errors.js';
import { SchemaTasks } from '../../src/events/resource-types/schemas/schema-tasks.js';
import { ruleErrors } from '../../src/events/rules/rule-errors.js';
import { cpuTimeOf } from '../support/cpu-time.js';

/** Most CPU time for one object, as a multiple of the reference: about 50 ms. */
const MOST = 1;
const SEED = 20_260_101;
const RUNS = 150;

type Json = Readonly<Record<string, unknown>>;

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index));
const named = <T>(length: number, item: (index: number) => T) =>
  Object.fromEntries(list(length, (index) => [`p${index}`, item(index)]));

/** Patterns that are slow for RE2: many states at once, more sets of states than memory, classes with many ranges. */
const patterns = [
  '^(?:\\p{L})*$', '^[a-z]+$', '^(?:[ab]*a[ab]{20}){20}$', '^(?:.*a.{400})$', '^[ab]*a[ab]{20}$', '^.*a.{10}$', 'a|b',
  '^(?:[ab]{1,20}){40}$', '^(?:(a)|(b)|(c))*$', '^[0-9a-f]{8}$', '^(?:\\p{L}*a\\p{L}{20}){9}$', '^a?b?a?', '^',
]; // prettier-ignore

/** Keywords for a value, by the values that they take long for. */
const leaves: readonly Json[] = [
  ...patterns.map((pattern) => ({ type: 'string', pattern })),
  ...['uri', 'email', 'date-time', 'hostname', 'ipv6', 'uuid'].map((format) => ({ type: 'string', format })),
  { type: 'string', maxLength: 99_999 },
  { type: 'string', minLength: 1, maxLength: 99_999 },
  { enum: list(300, (index) => `value-${index}`) },
  { enum: list(3, (index) => 'ab'.repeat(900) + index) },
  { type: 'array', items: { type: 'string' }, uniqueItems: true },
  { type: 'array', items: { type: ['integer', 'string'] }, uniqueItems: true },
  { type: 'array', contains: { const: 'a' }, minContains: 0 },
  { type: 'array', unevaluatedItems: true, prefixItems: [{}] },
  { type: 'object', maxProperties: 99_999 },
  { type: 'object', required: list(150, (index) => `p${index}`) },
  { type: 'object', properties: named(40, () => ({ type: 'string' })), additionalProperties: true },
  { type: 'object', propertyNames: { maxLength: 99_999 } },
  { type: 'object', propertyNames: { pattern: '^(?:[ab]*a[ab]{20}){20}$' } },
  { type: 'object', patternProperties: { '^(?:[ab]*a[ab]{20}){20}$': true, 'a|b': { type: 'string' } } },
  { type: 'object', additionalProperties: { type: 'string', maxLength: 9_999 } },
  { type: 'object', anyOf: [{ properties: { p1: true } }, {}], unevaluatedProperties: true },
  { type: 'object', dependentRequired: { p1: list(50, (index) => `p${index}`) } },
  { type: 'number', multipleOf: 0.01 },
];

/** `then` as a keyword; a literal object with it would look like a promise. */
// oxlint-disable-next-line unicorn/no-thenable
const thenRef = (ref: Json): Json => Object.fromEntries([['then', ref]]);

/** Ways to apply a schema several times to a value. */
const combinations: readonly ((times: number, ref: Json) => Json)[] = [
  (times, ref) => ({ allOf: list(times, () => ref) }),
  (times, ref) => ({ anyOf: [...list(times - 1, () => ({ not: ref })), ref] }),
  (times, ref) => ({ oneOf: [{ not: ref }, ...list(times - 1, () => ({ not: { anyOf: [ref] } })), ref] }),
  (times, ref) => ({ allOf: list(times, () => ({ if: ref, else: false, ...thenRef(ref) })) }),
];

/** Places of a value in an object, and how many of them there are. */
const places: readonly { readonly schema: (of: Json) => Json; readonly object: (values: unknown[]) => unknown }[] = [
  { schema: (of) => ({ type: 'object', properties: { a: of } }), object: ([value]) => ({ a: value }) },
  {
    schema: (of) => ({ type: 'object', properties: { a: { type: 'array', items: of } } }),
    object: (values) => ({ a: values }),
  },
  {
    schema: (of) => ({ type: 'object', additionalProperties: of }),
    object: (values) => Object.fromEntries(values.map((value, index) => [`p${index}`, value])),
  },
  {
    schema: (of) => ({ type: 'object', properties: { a: { type: 'array', prefixItems: list(30, () => of), items: false } } }),
    object: (values) => ({ a: values.slice(0, 30) }),
  },
]; // prettier-ignore

/** Returns letters in no order, another text in each call: the engine keeps what it has computed for a text. */
function letters(length: number): string {
  return list(length, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state > 1_073_741_824 ? 'a' : 'b';
  }).join('');
}
let state = 1;

/** Values of a length, whose content is of another kind each. */
const values: readonly ((length: number) => unknown)[] = [
  (length) => letters(length),
  (length) => 'é'.repeat(length),
  (length) => `https://a.example/${letters(length)}`.slice(0, Math.max(20, length)),
  (length) => list(Math.ceil(length / 4), (index) => index),
  (length) => list(Math.ceil(length / 12), (index) => `value-${index}`),
  (length) => named(Math.ceil(length / 12), () => 1),
  (length) => ({ [letters(Math.min(length, 4_000))]: 'a' }),
  (length) => ({ p1: letters(length) }),
  () => 12.34,
  () => ({}),
];

interface Case {
  readonly leaf: Json;
  readonly combination: (times: number, ref: Json) => Json;
  readonly place: (typeof places)[number];
  readonly value: (length: number) => unknown;
  /** Length of each value. */
  readonly length: number;
}

/** How often a leaf applies to a value: the outer number times the inner one. */
const multiples = [[45, 40], [40, 22], [40, 11], [30, 8], [20, 5], [10, 4], [8, 2], [4, 2], [2, 2], [2, 1]] as const; // prettier-ignore

/** Returns the schema that applies the leaf most often, of those that are accepted. */
function hostileSchema(tasks: SchemaTasks, { leaf, combination, place }: Case): { key: string; text: string } | null {
  for (const [outer, inner] of multiples) {
    const text = JSON.stringify({
      $defs: { leaf, group: combination(inner, { $ref: '#/$defs/leaf' }) },
      ...place.schema({ allOf: list(outer, () => ({ $ref: '#/$defs/group' })) }),
    });
    if (text.length > 16_384) continue;
    const schema = { key: text, text };
    const result = tasks.run({ kind: 'schema', schema });
    if (result.kind === 'schema' && result.errors.length === 0) return schema;
  }
  return null;
}

/** Returns the largest object of the allowed size. */
function largestObject({ place, value, length }: Case): string {
  const one = value(length);
  const bytes = Buffer.byteLength(JSON.stringify(one)) + 6;
  const count = Math.max(1, Math.floor((publishingLimits.mostEventBytes - 1_000) / bytes));
  return JSON.stringify(place.object(list(count, () => value(length))));
}

/** Checks the pointers that a type, and a source of a subscription, may have into a schema. */
function checkPointers(schema: Json): void {
  const pointers = ['/a', '/*'].flatMap((first) => list(25, (index) => `${first}/p${index}`));
  redactionErrors(pointers, schema);
  const fields = pointers.map((pointer) => `/object${pointer}`);
  const rule = { filter: null, fields: { include: fields, exclude: fields, hash: fields } };
  ruleErrors(rule, { payload: { type: 'object', properties: { object: schema } }, registeredObject: schema });
}

it('takes little CPU time for an object of the largest size and for many pointers, whatever the accepted schema', async () => {
  const tasks = new SchemaTasks();
  const [first] = places;
  const [allOf] = combinations;
  const [text] = values;
  if (!first || !allOf || !text) throw new Error('There are no cases.');
  const fixed = { combination: allOf, place: first };
  const examples: [Case][] = [
    [{ ...fixed, leaf: { type: 'string', pattern: '^(?:\\p{L})*$' }, value: text, length: 4_000 }],
    [{ ...fixed, leaf: { type: 'string', maxLength: 99_999 }, value: text, length: 50_000 }],
  ];
  const cases = fc.record({
    leaf: fc.constantFrom(...leaves),
    combination: fc.constantFrom(...combinations),
    place: fc.constantFrom(...places),
    value: fc.constantFrom(...values),
    length: fc.constantFrom(10, 40, 200, 500, 1_000, 4_000, 50_000),
  });
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const schema = hostileSchema(tasks, one);
      const object = largestObject(one);
      if (!schema || object.length > publishingLimits.mostEventBytes) return;
      accepted += 1;
      const time = await cpuTimeOf(
        () => tasks.run({ kind: 'objects', schemas: [schema], objects: `[[0,${object}]]` }),
        MOST,
      );
      expect(time, `an object took ${time} times the CPU time of the reference`).toBeLessThanOrEqual(MOST);
      const ofPointers = await cpuTimeOf(() => checkPointers(JSON.parse(schema.text) as Json), MOST);
      expect(ofPointers, `pointers took ${ofPointers} times the CPU time`).toBeLessThanOrEqual(MOST);
    }),
    { seed: SEED, numRuns: RUNS + examples.length, examples },
  );
  expect(accepted).toBeGreaterThan(RUNS / 2);
});
