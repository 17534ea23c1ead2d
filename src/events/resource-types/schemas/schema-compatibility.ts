import { isDeepStrictEqual } from 'node:util';
import { pointerTo } from '../../../http/problems/input-errors.js';
import type { InputError } from '../../../problems/problem.js';
import { isJsonObject, type JsonObject } from '../../envelope/json-object.js';
import { SchemaDocument } from './schema-document.js';
import { annotations, assertions } from './schema-keywords.js';

type Path = readonly (string | number)[];

/**
 * Keywords by which a schema can refuse more when a subschema accepts more. With a reference, a definition may be below
 * one of them.
 */
const opposing = ['not', 'if', 'oneOf', 'contains'];
/** Keywords whose effect depends on the subschemas around them. */
const dependent = ['unevaluatedProperties', 'unevaluatedItems'];

/**
 * Returns why a schema is not certainly a relaxed form of another: one that accepts every object that the other
 * accepts. A member that the older schema did not name counts as unused. The comparison is conservative.
 * @returns errors with pointers into the newer schema
 */
export function narrowings(before: JsonObject | null, after: JsonObject | null): readonly InputError[] {
  if (after === null) return [];
  if (before === null) return [incompatible([], 'must stay null')];
  if (isDeepStrictEqual(withoutAnnotations(before), withoutAnnotations(after))) return [];
  const keywords = new Set([...keywordsOf(before), ...keywordsOf(after)]);
  const used = [...dependent, ...(keywords.has('$ref') ? opposing : [])].find((keyword) => keywords.has(keyword));
  if (used !== undefined) return [incompatible([], `must stay as it is, because it uses ${used}`)];
  return compare(before, after, []);
}

function keywordsOf(schema: JsonObject): readonly string[] {
  return [...SchemaDocument.of(schema).nodes.values()].flatMap((node) =>
    isJsonObject(node.schema) ? Object.keys(node.schema) : [],
  );
}

function incompatible(path: Path, detail: string): InputError {
  return { pointer: pointerTo(path, 'body'), detail };
}

/** Returns a schema without the keywords that refuse nothing, at every level. */
function withoutAnnotations(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (annotations.has(keyword)) return [];
      if (maps.includes(keyword) && isJsonObject(value)) return [[keyword, mapped(value, withoutAnnotations)]];
      if (Array.isArray(value)) return [[keyword, lists.includes(keyword) ? value.map(withoutAnnotations) : value]];
      return [[keyword, singles.includes(keyword) ? withoutAnnotations(value) : value]];
    }),
  );
}

const maps = ['$defs', 'properties', 'patternProperties', 'dependentSchemas'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const singles = ['not', 'if', 'then', 'else', 'additionalProperties', 'propertyNames', 'items', 'contains'];

function mapped(value: JsonObject, change: (member: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

/** Compares two subschemas at the same place. */
function compare(before: unknown, after: unknown, path: Path): readonly InputError[] {
  if (after === undefined || after === true || before === false) return [];
  if (isDeepStrictEqual(withoutAnnotations(before), withoutAnnotations(after))) return [];
  if (!isJsonObject(after)) return [incompatible(path, 'must not refuse what it accepted')];
  const old = isJsonObject(before) ? before : {};
  const keywords = new Set([...Object.keys(old), ...Object.keys(after)]);
  return [...keywords].flatMap((keyword) => {
    const [from, to] = [old, after].map((schema) => withoutAnnotations({ [keyword]: schema[keyword] }));
    if (annotations.has(keyword) || isDeepStrictEqual(from, to)) return [];
    return compareKeyword(keyword, old, after, [...path, keyword]);
  });
}

function compareKeyword(keyword: string, old: JsonObject, after: JsonObject, path: Path): readonly InputError[] {
  const [from, to] = [old[keyword], after[keyword]];
  switch (keyword) {
    case 'properties':
      return compareProperties(old, after, path);
    case '$defs':
    case 'dependentSchemas':
      return Object.entries(isJsonObject(to) ? to : {}).flatMap(([name, schema]) =>
        keyword === '$defs' && !(isJsonObject(from) && name in from)
          ? []
          : compare(isJsonObject(from) ? (from[name] ?? {}) : {}, schema, [...path, name]),
      );
    case 'additionalProperties':
    case 'propertyNames':
    case 'items':
      return compare(from ?? {}, to, path);
    case 'allOf':
    case 'anyOf':
    case 'prefixItems':
      return compareLists(keyword, from, to, path);
    default:
      break;
  }
  if (to === undefined && removable.has(keyword)) return [];
  const rule = rules[keyword];
  return from !== undefined && rule?.(from, to) === true
    ? []
    : [incompatible(path, details[keyword] ?? 'must stay as it is')];
}

/** Removed members must not fall under another rule of the schema. Added ones were unused, unless they are required. */
function compareProperties(old: JsonObject, after: JsonObject, path: Path): readonly InputError[] {
  const from = isJsonObject(old.properties) ? old.properties : {};
  const to = isJsonObject(after.properties) ? after.properties : {};
  const isOpen = (after.additionalProperties ?? true) === true && after.patternProperties === undefined;
  const removed = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  if (removed.length > 0 && !isOpen) return [incompatible(path, `must keep the member ${removed[0]}`)];
  return Object.keys(to).flatMap((name) =>
    Object.hasOwn(from, name) ? compare(from[name], to[name], [...path, name]) : [],
  );
}

function compareLists(keyword: string, from: unknown, to: unknown, path: Path): readonly InputError[] {
  if (to === undefined && keyword !== 'prefixItems') return [];
  if (!Array.isArray(from) || !Array.isArray(to)) return [incompatible(path, 'must stay as it is')];
  const fits = keyword === 'anyOf' ? to.length >= from.length : to.length === from.length;
  if (!fits) return [incompatible(path, keyword === 'anyOf' ? 'must keep its subschemas' : 'must keep its length')];
  return from.flatMap((schema: unknown, index) => compare(schema, to[index], [...path, index]));
}

/** Keywords that only refuse: without them more is accepted. The bounds of `contains` are not among them. */
const removable = new Set([...assertions].filter((keyword) => keyword !== 'minContains' && keyword !== 'maxContains'));

type Rule = (from: unknown, to: unknown) => boolean;

const lower: Rule = (from, to) => typeof from === 'number' && typeof to === 'number' && to <= from;
const higher: Rule = (from, to) => typeof from === 'number' && typeof to === 'number' && to >= from;
const superset: Rule = (from, to) =>
  Array.isArray(from) && Array.isArray(to) && from.every((item) => to.includes(item));

/** Whether a changed keyword accepts all that it accepted. */
const rules: Readonly<Record<string, Rule>> = {
  type: (from, to) => {
    const types: readonly unknown[] = [to].flat();
    const all: readonly unknown[] = [from].flat();
    return all.every((type) => types.includes(type) || (type === 'integer' && types.includes('number')));
  },
  enum: superset,
  required: (from, to) => superset(to, from),
  minimum: lower,
  exclusiveMinimum: lower,
  minLength: lower,
  minItems: lower,
  minProperties: lower,
  maximum: higher,
  exclusiveMaximum: higher,
  maxLength: higher,
  maxItems: higher,
  maxProperties: higher,
  uniqueItems: (_, to) => to === false,
};

const details: Readonly<Record<string, string>> = {
  type: 'must keep its types, and can have more',
  enum: 'must keep its values, and can have more',
  required: 'must not have more names',
  minimum: 'must not be added or raised',
  exclusiveMinimum: 'must not be added or raised',
  minLength: 'must not be added or raised',
  minItems: 'must not be added or raised',
  minProperties: 'must not be added or raised',
  maximum: 'must not be added or lowered',
  exclusiveMaximum: 'must not be added or lowered',
  maxLength: 'must not be added or lowered',
  maxItems: 'must not be added or lowered',
  maxProperties: 'must not be added or lowered',
};
