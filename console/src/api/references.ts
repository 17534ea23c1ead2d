import { familyNamed, familyOfId, type Family } from './families.js';

/** A resource that another one refers to, or that refers to it. */
export interface Reference {
  readonly id: string;
  readonly family: Family;
  /** Id of the resource that it is a part of. */
  readonly parent: string | undefined;
  /** Dotted paths of the members that hold the id. */
  readonly fields: readonly string[];
}

/** What the payload of an event says of its resource. */
interface EventPayload {
  readonly object: unknown;
  /** The old and the new values of the members that an update changed. */
  readonly changes?: { readonly before: unknown } | undefined;
}

/** Members with texts of people and programs, and the id of the resource itself. */
const notReferences = new Set(['id', 'uri', 'description', 'metadata']);

/** Returns the resources that a resource refers to, in the order of its members, each once. */
export function referencesIn(resource: Readonly<Record<string, unknown>>): readonly Reference[] {
  const found = new Map<string, { family: Family; fields: string[] }>();
  const visit = (value: unknown, path: string): void => {
    const id = idIn(value);
    const family = id === undefined ? undefined : familyOfId(id);
    if (id !== undefined && family) {
      const fields = found.get(id)?.fields ?? [];
      if (!fields.includes(path)) found.set(id, { family, fields: [...fields, path] });
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, path);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) visitMember(name, member, path);
    }
  };
  const visitMember = (name: string, member: unknown, path: string): void => {
    if (path !== '' || !notReferences.has(name)) visit(member, path === '' ? name : `${path}.${name}`);
  };
  for (const [name, member] of Object.entries(resource)) visitMember(name, member, '');
  return [...found].map(([id, { family, fields }]) => ({ id, family, fields, parent: undefined }));
}

/** Whether the resource of an event refers to one, or did before the change of the event. */
export function refersTo({ object, changes }: EventPayload, id: string): boolean {
  return [object, changes?.before].some((one) => isObject(one) && referencesIn(one).some((found) => found.id === id));
}

/** Returns the id that a value is: an id as text, or a Ref. */
export function idIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.uri !== 'string') return undefined;
  return Object.keys(value).length === 2 ? value.id : undefined;
}

/** Reads an item of `GET …/references`. Null for one of a family that this build does not know. */
export function readReference(item: {
  readonly id: string;
  readonly uri: string;
  readonly family: string;
  readonly fields: readonly string[];
}): Reference | null {
  const family = familyNamed(item.family);
  return family ? { id: item.id, family, fields: item.fields, parent: parentIn(item.uri, family) } : null;
}

/** Returns the id of the parent in the address of a resource. */
export function parentIn(uri: string, { path, parent }: Family): string | undefined {
  if (!parent) return undefined;
  const [before = '', after = ''] = path.split(/\{\w+\}/);
  const start = uri.indexOf(before) + before.length;
  const end = uri.indexOf(after, start);
  return uri.includes(before) && end > start ? uri.slice(start, end) : undefined;
}

/** Whether a value is an object with members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
