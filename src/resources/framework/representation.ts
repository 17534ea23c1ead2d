import { isDeepStrictEqual } from 'node:util';
import type { Attributes, ResourceDefinition, ResourceRow } from './definition.js';
import { shownLink, uriOf } from './links.js';
import { parentPath, valueAt, withValueAt } from './paths.js';

/** A resource as answers and events show it: exactly the members of its family's `read` schema. */
export interface Representation extends Attributes {
  readonly id: string;
}

function nested(path: string): boolean {
  return parentPath(path) !== '';
}

/** Shows a resource. Pure: the same row and base URL always give the same representation. */
export function represent(definition: ResourceDefinition, row: ResourceRow, baseUrl: string): Representation {
  let attributes: Attributes = row.attributes;
  for (const { path } of definition.secrets ?? []) {
    if (valueAt(attributes, path) !== undefined) attributes = withValueAt(attributes, path, null);
  }
  for (const link of definition.links ?? []) {
    if (link.as !== undefined)
      attributes = withValueAt(attributes, link.as, shownLink(link, row.attributes, baseUrl));
    if (link.as !== undefined && nested(link.field))
      attributes = withValueAt(attributes, link.field, undefined);
  }
  const members: Representation = {
    ...attributes,
    ...definition.derive?.(row, baseUrl),
    id: row.id,
    uri: uriOf(definition, row.id, baseUrl, row.parentId),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
  const shown = Object.keys(definition.read.shape).map((name) => [name, members[name] ?? null]);
  return { id: row.id, ...Object.fromEntries(shown) };
}

/** The top-level members in which two representations differ, before and after. */
export interface Changes {
  readonly before: Attributes;
  readonly after: Attributes;
}

/**
 * Compares two representations member by member.
 * @param alsoChanged members that changed in what is not shown (a secret): listed although they look the same
 * @returns null when nothing differs
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
