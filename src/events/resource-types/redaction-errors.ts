import type { InputError } from '../../problems/problem.js';
import { isJsonObject, type JsonObject } from '../envelope/json-object.js';
import { partsOf } from '../envelope/json-pointer.js';
import { distinctApplyingToValue } from './schemas/schema-cost.js';
import { childrenOf, SchemaDocument, type SchemaNode } from './schemas/schema-document.js';

/** Most parts of a pointer: no object is deeper. */
const MOST_PARTS = 24;

const form = /^(?:\/(?:[^~/]|~[01])*)+$/;

/**
 * Checks the pointers to redacted values. With a schema, each must lead to a value that the schema describes, and that
 * it allows to be null: subscribers receive null there.
 * @returns errors with a pointer into the list
 */
export function redactionErrors(pointers: readonly string[], schema: JsonObject | null): readonly InputError[] {
  const document = schema && SchemaDocument.of(schema);
  return pointers.flatMap((pointer, index) => {
    const detail = formError(pointer) ?? (document && schemaError(document, pointer));
    return detail === null ? [] : [{ pointer: `/${index}`, detail }];
  });
}

/**
 * Returns why a pointer into a value cannot lead to a value that its schema describes; null when it can.
 * @param pointer with at least one name
 */
export function pointerError(pointer: string, schema: JsonObject): string | null {
  const error = formError(pointer);
  if (error !== null) return error;
  const nodes = nodesAt(SchemaDocument.of(schema), pointer);
  return nodes?.length === 0 ? UNDESCRIBED : null;
}

/**
 * Returns how many values a schema allows where a pointer leads: Infinity where it does not say. Counts booleans, null,
 * `const`, `enum`, and whole numbers with both bounds.
 */
export function valuesAt(pointer: string, schema: JsonObject): number {
  const document = SchemaDocument.of(schema);
  const nodes = nodesAt(document, pointer) ?? [];
  return nodes.length === 0 ? Infinity : sum(nodes.map((node) => valuesOf(document, node)));
}

const knownValues = new WeakMap<SchemaNode, number>();

function valuesOf(document: SchemaDocument, node: SchemaNode): number {
  let values = knownValues.get(node);
  if (values === undefined) {
    values = countedValues(document, node);
    knownValues.set(node, values);
  }
  return values;
}

/** Each keyword narrows the others, and the alternatives of one add up. */
function countedValues(document: SchemaDocument, node: SchemaNode): number {
  const { schema } = node;
  if (!isJsonObject(schema)) return schema === false ? 0 : Infinity;
  const target = typeof schema.$ref === 'string' ? document.target(schema.$ref) : undefined;
  const under = (name: string) =>
    childrenOf(node).flatMap((child) => (child.keyword === name ? [valuesOf(document, child.node)] : []));
  const alternatives = ['anyOf', 'oneOf'].map(under).filter(({ length }) => length > 0);
  return Math.min(
    schema.const === undefined ? Infinity : 1,
    Array.isArray(schema.enum) ? schema.enum.length : Infinity,
    schema.type === undefined ? Infinity : sum([schema.type].flat().map((type) => valuesOfType(type, schema))),
    target ? valuesOf(document, target) : Infinity,
    ...under('allOf'),
    ...alternatives.map(sum),
  );
}

function valuesOfType(type: unknown, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): number {
  if (type === 'null') return 1;
  if (type === 'boolean') return 2;
  if (type !== 'integer') return Infinity;
  const lowest = Math.max(-Infinity, ...numbersIn([minimum, exclusiveMinimum]));
  const highest = Math.min(Infinity, ...numbersIn([maximum, exclusiveMaximum]));
  return Math.max(0, highest - lowest + 1);
}

function numbersIn(values: readonly unknown[]): readonly number[] {
  return values.filter((value) => typeof value === 'number');
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

const UNDESCRIBED = 'must lead to a value that the schema describes';

function formError(pointer: string): string | null {
  if (!form.test(pointer)) return 'must be a JSON pointer to a member, such as /card/number';
  const parts = partsOf(pointer);
  if (parts.length > MOST_PARTS) return `must not have more than ${MOST_PARTS} parts`;
  return parts.includes('__proto__') ? 'must not have the name __proto__, which no object can have' : null;
}

function schemaError(document: SchemaDocument, pointer: string): string | null {
  const nodes = nodesAt(document, pointer);
  if (nodes === null) return null;
  if (nodes.length === 0) return UNDESCRIBED;
  const nullable = nodes.every((node) => allowsNull(document, node));
  return nullable ? null : 'must lead to a value that the schema allows to be null: subscribers receive null';
}

/** Returns the subschemas of the value that a pointer leads to; null where the schema leaves the value open. */
function nodesAt(document: SchemaDocument, pointer: string): readonly SchemaNode[] | null {
  let nodes: readonly SchemaNode[] = [document.root];
  for (const part of partsOf(pointer)) {
    const here = distinctApplyingToValue(document, nodes);
    // A subschema that says nothing about members allows any.
    if (here.every((node) => childrenOf(node).every(({ to }) => to !== 'children')) && here.some(isOpen)) return null;
    nodes = here.flatMap((node) => below(node, part)).filter(({ schema }) => schema !== false);
    if (nodes.length === 0) return nodes;
  }
  return nodes;
}

function isOpen({ schema }: SchemaNode): boolean {
  if (!isJsonObject(schema)) return schema === true;
  const types = [schema.type].flat();
  return types.some((type) => type === undefined || type === 'object' || type === 'array');
}

const memberKeywords = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];
const itemKeywords = ['items', 'unevaluatedItems'];

/** The subschemas of the member or item that a part of a pointer names. */
function below(node: SchemaNode, part: string): readonly SchemaNode[] {
  const children = childrenOf(node);
  const exact = children.filter(
    ({ keyword, key }) =>
      (keyword === 'properties' && (part === '*' || key === part)) ||
      (keyword === 'prefixItems' && (part === '*' || String(key) === part)),
  );
  const isIndex = part === '*' || /^(?:0|[1-9]\d*)$/.test(part);
  const others = children.filter(
    ({ keyword }) => memberKeywords.includes(keyword) || (isIndex && itemKeywords.includes(keyword)),
  );
  return (part === '*' || exact.length === 0 ? [...exact, ...others] : exact).map((child) => child.node);
}

const knownNullable = new WeakMap<SchemaNode, boolean>();

function allowsNull(document: SchemaDocument, node: SchemaNode): boolean {
  let allows = knownNullable.get(node);
  if (allows === undefined) {
    allows = checkedNullable(document, node);
    knownNullable.set(node, allows);
  }
  return allows;
}

function checkedNullable(document: SchemaDocument, here: SchemaNode): boolean {
  const { schema } = here;
  if (!isJsonObject(schema)) return schema === true;
  const { type, enum: values, const: value, $ref } = schema;
  if (type !== undefined && ![type].flat().includes('null')) return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  if (value !== undefined && value !== null) return false;
  const target = typeof $ref === 'string' ? document.target($ref) : undefined;
  if (target && !allowsNull(document, target)) return false;
  const all = childrenOf(here);
  const under = (name: string) => all.filter(({ keyword }) => keyword === name).map((child) => child.node);
  const oneOf = (name: string) => {
    const nodes = under(name);
    return nodes.length === 0 || nodes.some((node) => allowsNull(document, node));
  };
  const every = ['allOf', 'then', 'else'].flatMap(under).every((node) => allowsNull(document, node));
  return every && oneOf('anyOf') && oneOf('oneOf') && under('not').length === 0;
}
