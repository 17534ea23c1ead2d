import { isJsonObject } from '../json-object.js';
import { childrenOf, type SchemaDocument, type SchemaNode } from './schema-document.js';

/** Most subschemas of a schema when each reference is replaced by its target. */
export const MOST_EXPANDED = 2_000;
/** Highest cost of one value of an object, in units. A unit takes about half a microsecond. */
export const MOST_COST = 100;

/** Names of members that are looked up in one unit, and values of an `enum` that are compared. */
const NAMES_PER_UNIT = 2;
const VALUES_PER_UNIT = 10;
/** Cost of a pattern: it reads the whole text. */
const PATTERN_COST = 10;

/** Returns the pointer of a reference that leads back to a schema around it; undefined when there is none. */
export function recursiveReference(document: SchemaDocument): string | undefined {
  const state = new Map<string, 'open' | 'done'>();
  const visit = (node: SchemaNode): string | undefined => {
    if (state.get(node.pointer) === 'done') return undefined;
    state.set(node.pointer, 'open');
    const target = targetOf(document, node);
    if (target && state.get(target.pointer) === 'open') return `${node.pointer}/$ref`;
    const found = [...(target ? [target] : []), ...applied(node)].map(visit).find((pointer) => pointer !== undefined);
    state.set(node.pointer, 'done');
    return found;
  };
  return [...document.nodes.values()].map(visit).find((pointer) => pointer !== undefined);
}

/** Returns the number of subschemas when each reference is replaced by its target. There is no recursive one. */
export function expandedSize(document: SchemaDocument): number {
  const sizes = new Map<string, number>();
  const expanded = (node: SchemaNode): number => {
    const known = sizes.get(node.pointer);
    if (known !== undefined) return known;
    const target = targetOf(document, node);
    const below = [...applied(node), ...(target ? [target] : [])].map(expanded);
    const size = below.reduce((sum, each) => sum + each, 1);
    sizes.set(node.pointer, size);
    return size;
  };
  return expanded(document.root);
}

/**
 * Returns an upper bound for the cost of one value in an object: of all subschemas that may apply to the same item of a
 * list, or to the same member of an object without fixed names. Other subschemas apply once. The expanded size is
 * bounded.
 */
export function highestCost(document: SchemaDocument): number {
  const costOf = (nodes: readonly SchemaNode[], isRepeated: boolean): number => {
    if (nodes.length === 0) return 0;
    const here = applyingToValue(document, nodes);
    const named = new Map<string, SchemaNode[]>();
    const every: SchemaNode[] = [];
    for (const { node, keyword, key, to } of here.flatMap(childrenOf)) {
      if (to !== 'children') continue;
      const group = keyword === 'properties' || keyword === 'prefixItems' ? named.get(`${keyword} ${key}`) : every;
      if (group) group.push(node);
      else named.set(`${keyword} ${key}`, [node]);
    }
    const own = here.reduce((sum, { schema }) => sum + ownCost(schema, isRepeated), 0);
    const below = [...named.values()].map((group) => costOf(group, isRepeated));
    return Math.max(own, Math.max(0, ...below) + costOf(every, true));
  };
  return costOf([document.root], false);
}

/** Returns these subschemas and all that apply to the same value through them. */
export function applyingToValue(document: SchemaDocument, nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const found: SchemaNode[] = [];
  const open = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(node);
    const target = targetOf(document, node);
    if (target) open.push(target);
    for (const child of childrenOf(node)) if (child.to === 'value') open.push(child.node);
  }
  return found;
}

function targetOf(document: SchemaDocument, { schema }: SchemaNode): SchemaNode | undefined {
  return isJsonObject(schema) && typeof schema.$ref === 'string' ? document.target(schema.$ref) : undefined;
}

function applied(node: SchemaNode): readonly SchemaNode[] {
  return childrenOf(node)
    .filter(({ to }) => to !== 'nothing')
    .map((child) => child.node);
}

/** The cost of a subschema for one value, without the subschemas below it. The names of members are repeated values. */
function ownCost(schema: unknown, isRepeated: boolean): number {
  if (!isJsonObject(schema)) return isRepeated ? 1 : 0;
  const ofNames = sizeOf(schema.patternProperties) * PATTERN_COST;
  if (!isRepeated) return ofNames;
  const names = sizeOf(schema.required) + sizeOf(schema.properties) + sizeOf(schema.dependentRequired);
  const compared = Math.ceil(names / NAMES_PER_UNIT + sizeOf(schema.enum) / VALUES_PER_UNIT);
  return 1 + compared + ofNames + (schema.pattern === undefined ? 0 : PATTERN_COST);
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}
