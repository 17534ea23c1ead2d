import { echoed } from '../../../bounds/storable.js';
import { invalidInput, type InputError } from '../../../problems/problem.js';
import type { Attributes, LinkDefinition, ResourceKind } from './definition.js';
import { pointerOf, valueAt } from './paths.js';

/** One reference from a resource to another. */
export interface Link {
  /** The field that holds the id. */
  readonly role: string;
  /** Index in the list; 0 for a single id. */
  readonly position: number;
  readonly toId: string;
}

function idsAt(attributes: Attributes, link: LinkDefinition): readonly string[] {
  const value = valueAt(attributes, link.field);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}

/** Returns the links in the attributes, in order. */
export function linksOf(definitions: readonly LinkDefinition[], attributes: Attributes): readonly Link[] {
  return definitions.flatMap((definition) =>
    idsAt(attributes, definition).map((toId, position) => ({ role: definition.field, position, toId })),
  );
}

/**
 * Checks that the target of every link exists and is of a family that the field allows.
 * @param kinds the kind of each found resource of the account, by id
 * @throws Problem `invalid_input` with a pointer to each invalid id
 */
export function assertLinkTargets(
  definitions: readonly LinkDefinition[],
  attributes: Attributes,
  kinds: ReadonlyMap<string, string>,
): void {
  const errors: InputError[] = [];
  for (const definition of definitions) {
    const allowed = definition.to;
    const isList = Array.isArray(valueAt(attributes, definition.field));
    idsAt(attributes, definition).forEach((id, position) => {
      const kind = kinds.get(id);
      if (kind !== undefined && allowed.some(({ name }) => name === kind)) return;
      errors.push({
        pointer: pointerOf(definition.field) + (isList ? `/${position}` : ''),
        detail: `there is no ${allowed.map(({ name }) => name.replaceAll('_', ' ')).join(' or ')} with the id ${JSON.stringify(echoed(id))}`,
      });
    });
  }
  if (errors.length > 0) throw invalidInput(errors);
}

/** A reference in a response. */
export interface Ref {
  readonly id: string;
  readonly uri: string;
}

/** Returns the path of a family's collection, within the parent if it has one. */
export function pathOf(kind: ResourceKind, parentId: string | null): string {
  return kind.path.replace(/:\w+/, parentId ?? '');
}

/** Returns the address of a resource. */
export function uriOf(kind: ResourceKind, id: string, baseUrl: string, parentId: string | null = null): string {
  return `${baseUrl}${pathOf(kind, parentId)}/${id}`;
}

/** Returns a reference to a resource; null unless the value is an id of one of these kinds. */
export function refTo(kinds: readonly ResourceKind[], id: unknown, baseUrl: string): Ref | null {
  if (typeof id !== 'string') return null;
  const kind = kinds.find(({ prefix }) => id.startsWith(`${prefix}_`));
  return kind ? { id, uri: uriOf(kind, id, baseUrl) } : null;
}

/** Returns the value of a link in a response: a Ref, a list of Refs, or null. */
export function linkResponse(
  definition: LinkDefinition,
  attributes: Attributes,
  baseUrl: string,
): Ref | readonly Ref[] | null {
  const refs = idsAt(attributes, definition).map((id) => linkTo(definition, id, baseUrl));
  return Array.isArray(valueAt(attributes, definition.field)) ? refs : (refs[0] ?? null);
}

/**
 * Also returns a reference to an id of another kind. With null, an update to such an id would look like no change, and
 * would not be refused.
 */
function linkTo({ to }: LinkDefinition, id: string, baseUrl: string): Ref {
  return refTo(to, id, baseUrl) ?? { id, uri: uriOf(to[0], id, baseUrl) };
}
