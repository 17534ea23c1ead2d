import { isJsonObject } from '../../envelope/json-object.js';
import { childrenOf, type SchemaDocument, type SchemaNode } from './schema-document.js';

/** Most subschemas of a schema when each reference is replaced by its target. */
export const MOST_EXPANDED = 2_000;
/** Highest cost of one value of an object, in units. A unit takes about half a microsecond. */
export const MOST_COST = 100;
/** Highest cost of the members with fixed names and of the first items of lists, which an object has once; in units. */
export const MOST_FIXED_COST = 20_000;

/** Names of members that are looked up in one unit, and values of an `enum` that are compared. */
const NAMES_PER_UNIT = 2;
const VALUES_PER_UNIT = 10;
/** Cost of a pattern or format, beside what `TextBudget` counts. */
const PATTERN_COST = 4;

/** What the validation of an object costs at most, in units. */
export interface SchemaCost {
  /** Of all members with fixed names. */
  readonly fixed: number;
  /** Of each value. */
  readonly value: number;
  /** How often the length of a text is counted. */
  readonly lengths: number;
}

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
 * Returns an upper bound for the cost of an object: of all subschemas that may apply to the same item of a list, or to
 * the same member of an object without fixed names, and of those that apply once. The expanded size is bounded. What
 * patterns and formats read is counted by `TextBudget`.
 */
export function costOf(document: SchemaDocument): SchemaCost {
  const groupCost = (nodes: readonly SchemaNode[], isRepeated: boolean): SchemaCost => {
    if (nodes.length === 0) return { fixed: 0, value: 0, lengths: 0 };
    const here = applyingToValue(document, nodes);
    const named = new Map<string, SchemaNode[]>();
    const every: SchemaNode[] = [];
    for (const { node, keyword, key, to } of here.flatMap(childrenOf)) {
      if (to !== 'children') continue;
      const group = keyword === 'properties' || keyword === 'prefixItems' ? named.get(`${keyword} ${key}`) : every;
      if (group) group.push(node);
      else named.set(`${keyword} ${key}`, [node]);
    }
    const own = total(here.map(({ schema }) => ownCost(schema)));
    const ofNamed = [...named.values()].map((group) => groupCost(group, isRepeated));
    const ofEvery = groupCost(every, true);
    const child = total(here.map(({ schema }) => childCost(schema))) + ofEvery.value;
    return {
      fixed: isRepeated ? 0 : own + total(ofNamed.map(({ fixed }) => fixed)),
      value: Math.max(isRepeated ? own : 0, child + Math.max(0, ...ofNamed.map(({ value }) => value))),
      lengths: Math.max(
        total(here.map(({ schema }) => lengthsIn(schema))),
        ofEvery.lengths + Math.max(0, ...ofNamed.map(({ lengths }) => lengths)),
      ),
    };
  };
  return groupCost([document.root], false);
}

/** Returns these subschemas and all that apply to the same value through them, each as often as it applies. */
function applyingToValue(document: SchemaDocument, nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const found: SchemaNode[] = [];
  const open = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(node);
    open.push(...throughNode(document, node));
  }
  return found;
}

/** Returns these subschemas and all that apply to the same value through them, each once. */
export function distinctApplyingToValue(document: SchemaDocument, nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const found = new Set(nodes);
  // The loop reaches what it adds.
  for (const node of found) for (const next of throughNode(document, node)) found.add(next);
  return [...found];
}

/** Returns the subschemas that apply to the same value directly through one. */
function throughNode(document: SchemaDocument, node: SchemaNode): readonly SchemaNode[] {
  const target = targetOf(document, node);
  const children = childrenOf(node).flatMap((child) => (child.to === 'value' ? [child.node] : []));
  return target ? [target, ...children] : children;
}

function targetOf(document: SchemaDocument, { schema }: SchemaNode): SchemaNode | undefined {
  return isJsonObject(schema) && typeof schema.$ref === 'string' ? document.target(schema.$ref) : undefined;
}

function applied(node: SchemaNode): readonly SchemaNode[] {
  return childrenOf(node)
    .filter(({ to }) => to !== 'nothing')
    .map((child) => child.node);
}

/** The cost of a subschema for the value that it applies to, without the subschemas below it. */
function ownCost(schema: unknown): number {
  if (!isJsonObject(schema)) return 1;
  const names = sizeOf(schema.required) + sizeOf(schema.properties) + sizeOf(schema.dependentRequired);
  const compared = Math.ceil(names / NAMES_PER_UNIT + sizeOf(schema.enum) / VALUES_PER_UNIT);
  const tested = [schema.pattern, schema.format].filter((keyword) => keyword !== undefined);
  return 1 + compared + tested.length * PATTERN_COST;
}

/** The cost of a subschema for each item or member of the value that it applies to. */
function childCost(schema: unknown): number {
  if (!isJsonObject(schema)) return 0;
  const counted = [schema.uniqueItems, schema.minProperties, schema.maxProperties];
  return counted.filter((keyword) => keyword !== undefined).length + sizeOf(schema.patternProperties) * PATTERN_COST;
}

function lengthsIn(schema: unknown): number {
  if (!isJsonObject(schema)) return 0;
  return [schema.minLength, schema.maxLength].filter((keyword) => keyword !== undefined).length;
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
