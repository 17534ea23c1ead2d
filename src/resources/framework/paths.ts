import type { Attributes } from './definition.js';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path; undefined where something on the way is absent or null. */
export function valueAt(attributes: Attributes, path: string): unknown {
  let value: unknown = attributes;
  for (const name of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = value[name];
  }
  return value;
}

/** A copy with another value at a dotted path. Where something on the way is absent or null, the copy is unchanged. */
export function withValueAt(attributes: Attributes, path: string, value: unknown): Attributes {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...attributes, [name]: value };
  const inner = attributes[name];
  return isObject(inner) ? { ...attributes, [name]: withValueAt(inner, rest.join('.'), value) } : attributes;
}

/** The path of the object that holds the last name of a dotted path; empty for a top-level name. */
export function parentPath(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** A dotted path as an RFC 6901 pointer. */
export function pointerOf(path: string): string {
  return `/${path.split('.').join('/')}`;
}
