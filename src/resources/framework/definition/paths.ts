import type { Attributes } from './definition.js';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a dotted path; undefined if a parent is absent or null. */
export function valueAt(attributes: Attributes, path: string): unknown {
  let value: unknown = attributes;
  for (const name of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * Returns a copy with another value at a dotted path, or the attributes unchanged if a parent is absent or null.
 */
export function withValueAt(attributes: Attributes, path: string, value: unknown): Attributes {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...attributes, [name]: value };
  const inner = attributes[name];
  return isObject(inner) ? { ...attributes, [name]: withValueAt(inner, rest.join('.'), value) } : attributes;
}

/** Returns the parent of a dotted path; empty for a top-level name. */
export function parentPath(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** Returns a dotted path as an RFC 6901 pointer. */
export function pointerOf(path: string): string {
  return `/${path.split('.').join('/')}`;
}
