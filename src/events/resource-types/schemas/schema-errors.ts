import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { MAX_ERRORS, pointerTo } from '../../../http/problems/input-errors.js';
import type { InputError } from '../../../problems/problem.js';
import { isJsonObject, type JsonObject } from '../../envelope/json-object.js';
import { formats } from './formats.js';
import { expandedLength, patternError } from './linear-pattern.js';
import { compileValidator, type ObjectValidator } from './object-validator.js';
import { costOf, expandedSize, MOST_COST, MOST_EXPANDED, MOST_FIXED_COST, recursiveReference } from './schema-cost.js';
import { SchemaDocument, type SchemaNode } from './schema-document.js';
import { annotations, applicators, assertions } from './schema-keywords.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Most subschemas as written. */
const MOST_SUBSCHEMAS = 500;
/** Most subschemas of one `allOf`, `anyOf`, `oneOf` or `prefixItems`. */
const MOST_ALTERNATIVES = 50;
/** Most values of one `enum`. */
const MOST_VALUES = 500;
/** Most references. */
const MOST_REFERENCES = 200;
/** Most patterns, and their length after expansion of the repetitions. */
const MOST_PATTERNS = 50;
const LONGEST_PATTERNS = 5_000;
/** Smallest number that `multipleOf` may have. */
const SMALLEST_DIVISOR = 1e-6;

/** A schema that is accepted, or the reasons why it is not. */
export type CheckedSchema = { readonly validate: ObjectValidator } | { readonly errors: readonly InputError[] };

/**
 * Checks the schema of a resource type. The checks bound the time that its compiled form takes for any object. The last
 * one compiles it: call this in the thread of schemas (schema-thread.ts).
 * @param schema its bytes and depth are bounded
 * @returns its compiled form, or at most MAX_ERRORS errors with pointers into the schema
 */
export function checkSchema(schema: JsonObject): CheckedSchema {
  for (const check of [dialectErrors, metaSchemaErrors, keywordErrors, costErrors]) {
    const errors = check(schema);
    if (errors.length > 0) return { errors: errors.slice(0, MAX_ERRORS) };
  }
  return compiled(schema);
}

function dialectErrors({ $schema }: JsonObject): readonly InputError[] {
  return $schema === undefined || $schema === DIALECT ? [] : [{ pointer: '/$schema', detail: `must be ${DIALECT}` }];
}

let metaSchema: ValidateFunction | undefined;

/** Errors in the form of the schema, such as a number where a list belongs. */
function metaSchemaErrors(schema: JsonObject): readonly InputError[] {
  metaSchema ??= new Ajv2020({ strict: false, logger: false }).getSchema(DIALECT);
  if (!metaSchema) throw new Error('ajv has no meta-schema of JSON Schema 2020-12.');
  const valid: unknown = metaSchema(schema);
  if (valid === true) return [];
  const [error] = metaSchema.errors ?? [];
  return error ? [{ pointer: error.instancePath, detail: metaDetail(error) }] : [];
}

function metaDetail({ message = 'is invalid', keyword, params }: ErrorObject): string {
  const values: unknown = Reflect.get(params, 'allowedValues');
  return keyword === 'enum' && Array.isArray(values)
    ? `must be one of ${values.join(', ')}`
    : message.replace('NOT', 'not');
}

/** Errors of single keywords, and in the numbers of them. */
function keywordErrors(schema: JsonObject): readonly InputError[] {
  const document = SchemaDocument.of(schema);
  const nodes = [...document.nodes.values()];
  if (nodes.length > MOST_SUBSCHEMAS)
    return [{ pointer: '', detail: `must not have more than ${MOST_SUBSCHEMAS} subschemas` }];
  const errors = nodes.flatMap((node) => nodeErrors(document, node));
  if (errors.length > 0) return errors;
  return patternErrors(nodes.flatMap(patternsIn));
}

function patternErrors(
  patterns: readonly { readonly pattern: string; readonly pointer: string }[],
): readonly InputError[] {
  if (patterns.length > MOST_PATTERNS)
    return [{ pointer: '', detail: `must not have more than ${MOST_PATTERNS} patterns` }];
  const length = patterns.reduce((sum, { pattern }) => sum + Math.min(expandedLength(pattern), LONGEST_PATTERNS), 0);
  const errors = patterns.flatMap(({ pattern, pointer }) => {
    const detail = patternError(pattern);
    return detail === null ? [] : [{ pointer, detail }];
  });
  if (errors.length > 0 || length <= LONGEST_PATTERNS) return errors;
  const detail = `must not have patterns of more than ${LONGEST_PATTERNS} characters in all after expansion of their repetitions`;
  return [{ pointer: '', detail }];
}

function patternsIn({ schema, path }: SchemaNode): readonly { readonly pattern: string; readonly pointer: string }[] {
  if (!isJsonObject(schema)) return [];
  const own = typeof schema.pattern === 'string' ? [{ pattern: schema.pattern, at: [...path, 'pattern'] }] : [];
  const names = isJsonObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  const ofNames = names.map((pattern) => ({ pattern, at: [...path, 'patternProperties', pattern] }));
  return [...own, ...ofNames].map(({ pattern, at }) => ({ pattern, pointer: pointerTo(at, 'body') }));
}

function nodeErrors(document: SchemaDocument, { schema, path }: SchemaNode): readonly InputError[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const detail = keywordError(document, schema, keyword, value, path.length === 0);
    return detail === null ? [] : [{ pointer: pointerTo([...path, keyword], 'body'), detail }];
  });
}

function keywordError(
  document: SchemaDocument,
  schema: JsonObject,
  keyword: string,
  value: unknown,
  isRoot: boolean,
): string | null {
  switch (keyword) {
    case '$schema':
      return isRoot ? null : 'is allowed at the root of the schema only';
    case '$ref':
      return referenceError(document, value);
    case 'enum':
      return enumError(value);
    case 'const':
      return isScalar(value) ? null : 'must be text, a number, true, false or null';
    case 'format':
      return typeof value === 'string' && Object.hasOwn(formats, value)
        ? null
        : `must be one of ${Object.keys(formats).join(', ')}`;
    case 'multipleOf':
      return typeof value === 'number' && value >= SMALLEST_DIVISOR ? null : `must be at least ${SMALLEST_DIVISOR}`;
    case 'uniqueItems':
      return value === false || hasScalarItems(schema)
        ? null
        : 'needs `items` with a `type` that is no object or array';
    default:
      break;
  }
  if (Array.isArray(value) && applicators.has(keyword) && value.length > MOST_ALTERNATIVES)
    return `must not have more than ${MOST_ALTERNATIVES} subschemas`;
  if (keyword === '$defs' && !isRoot) return 'is allowed at the root of the schema only';
  return applicators.has(keyword) || assertions.has(keyword) || annotations.has(keyword)
    ? null
    : 'is not a keyword that a schema may have';
}

function referenceError(document: SchemaDocument, value: unknown): string | null {
  if (typeof value !== 'string' || !document.target(value))
    return 'must refer to a subschema of this schema, as `#/$defs/name`';
  const references = [...document.nodes.values()].filter(
    ({ schema }) => isJsonObject(schema) && schema.$ref !== undefined,
  );
  return references.length > MOST_REFERENCES ? `must not be one of more than ${MOST_REFERENCES} references` : null;
}

function enumError(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return 'must have at least one value';
  if (value.length > MOST_VALUES) return `must not have more than ${MOST_VALUES} values`;
  if (!value.every(isScalar)) return 'must have text, numbers, true, false and null only';
  return new Set(value).size === value.length ? null : 'must not have the same value twice';
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Whether the items are compared by a hash: the comparison of objects takes quadratic time. */
function hasScalarItems({ items }: JsonObject): boolean {
  const types: readonly unknown[] = isJsonObject(items) ? [items.type].flat() : [];
  return types.length > 0 && types.every((type) => type !== undefined && type !== 'object' && type !== 'array');
}

/** Errors of a schema whose compiled form could take long for an object. */
function costErrors(schema: JsonObject): readonly InputError[] {
  const document = SchemaDocument.of(schema);
  const recursive = recursiveReference(document);
  if (recursive !== undefined)
    return [{ pointer: recursive, detail: 'must not lead back to a schema that contains it' }];
  const size = expandedSize(document);
  if (size > MOST_EXPANDED) {
    const detail = `must not have more than ${MOST_EXPANDED} subschemas when references are replaced by their targets`;
    return [{ pointer: '', detail }];
  }
  const { fixed, value } = costOf(document);
  if (fixed > MOST_FIXED_COST) {
    const detail = `must not apply so many subschemas and comparisons to members with fixed names: their cost is limited to ${MOST_FIXED_COST}`;
    return [{ pointer: '', detail }];
  }
  if (value <= MOST_COST) return [];
  const detail = `must not apply so many subschemas, patterns and comparisons to each item or member: the cost of a value is limited to ${MOST_COST}`;
  return [{ pointer: '', detail }];
}

/** Errors of the strict mode of ajv, such as `properties` without the type `object`. */
function compiled(schema: JsonObject): CheckedSchema {
  try {
    return { validate: compileValidator(schema) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [, reason = '', fragment = ''] =
      /^(?:strict mode: )?(.*?)(?: at "#(.*?)")?(?: \(strict\w+\))?$/s.exec(error.message) ?? [];
    const detail = `is refused in strict mode: ${reason.replaceAll('"', '`')}`;
    return { errors: [{ pointer: decodeURIComponent(fragment), detail }] };
  }
}
