import { isDeepStrictEqual } from 'node:util';
import type { Attributes, Bases, ResourceDefinition, ResourceRow } from '../definition/definition.js';
import { linkResponse, uriOf } from '../definition/links.js';
import { parentPath, valueAt, withValueAt } from '../definition/paths.js';

/** A resource in responses and events: exactly the members of its family's `read` schema. */
export interface Representation extends Attributes {
  readonly id: string;
}

function nested(path: string): boolean {
  return parentPath(path) !== '';
}

/** Returns the modules that are set, each with exactly the members of its `read` schema. */
function moduleResponses(
  { modules = [] }: ResourceDefinition,
  attributes: Attributes,
  row: ResourceRow,
  bases: Bases,
): Attributes {
  const set = modules.flatMap(({ name, read, derive }) => {
    const stored = attributes[name] ?? null;
    if (stored === null) return [];
    const members: Attributes = { ...stored, ...derive?.(row, bases) };
    const names = Object.keys(read.shape);
    return [[name, Object.fromEntries(names.map((member) => [member, members[member] ?? null]))] as const];
  });
  return Object.fromEntries(set);
}

/**
 * Returns the representation of a resource. Pure.
 * @param derived members that derive from other resources or settings; an absent member is null
 */
export function represent(
  definition: ResourceDefinition,
  row: ResourceRow,
  bases: Bases,
  derived: Attributes = {},
): Representation {
  const { baseUrl } = bases;
  let attributes: Attributes = row.attributes;
  for (const { path } of definition.secrets ?? []) {
    if (valueAt(attributes, path) !== undefined) attributes = withValueAt(attributes, path, null);
  }
  for (const link of definition.links ?? []) {
    if (link.as !== undefined)
      attributes = withValueAt(attributes, link.as, linkResponse(link, row.attributes, baseUrl));
    if (link.as !== undefined && nested(link.field)) attributes = withValueAt(attributes, link.field, undefined);
  }
  const members: Representation = {
    ...attributes,
    ...moduleResponses(definition, attributes, row, bases),
    ...definition.derive?.(row, baseUrl),
    ...derived,
    id: row.id,
    uri: uriOf(definition, row.id, definition.relativeUri ? '' : baseUrl, row.parent_id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  const shown = Object.keys(definition.read.shape).map((name) => [name, members[name] ?? null]);
  return { id: row.id, ...Object.fromEntries(shown) };
}

/** The changed top-level members of a representation, before and after. */
export interface Changes {
  readonly before: Attributes;
  readonly after: Attributes;
}

/**
 * Compares two representations member by member.
 * @param alsoChanged members with a changed secret, which look the same
 * @returns null if nothing changed
 */
export function changesBetween(
  before: Attributes,
  after: Attributes,
  alsoChanged: readonly string[] = [],
): Changes | null {
  const names = Object.keys(after).filter(
    (name) => alsoChanged.includes(name) || !isDeepStrictEqual(before[name], after[name]),
  );
  if (names.length === 0) return null;
  const pick = (from: Attributes) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: pick(before), after: pick(after) };
}
