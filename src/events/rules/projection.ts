import { createHmac } from 'node:crypto';
import type { EventFields } from '../../database/tables.js';
import { isJsonObject, type JsonObject } from '../json-object.js';
import { canonicalJson } from '../publishing/canonical-json.js';

/** The members that every destination receives. */
export const fixedMembers = ['event_id', 'event_type', 'event_timestamp', 'account_id', 'version'] as const;

/** What becomes of a value: its replacement, or undefined when it is left out. */
type Change = (value: unknown) => unknown;

/**
 * Returns a payload as a destination receives it: with the members of every `include`, without those of any `exclude`,
 * and with hashes in place of those of any `hash`. A pointer into `object` applies to its old and new values in
 * `changes` too.
 * @param fields of the sources that send the event to the destination
 * @param salt of the account
 */
export function projectedPayload(payload: string, fields: readonly EventFields[], salt: Buffer): string {
  let projected: JsonObject = JSON.parse(payload);
  for (const { include } of fields) if (include) projected = withOnly(projected, include.flatMap(pathsOf));
  for (const { exclude } of fields) projected = changedAt(projected, exclude, () => undefined);
  const hashed = new Set(fields.flatMap(({ hash }) => hash ?? []));
  projected = changedAt(projected, [...hashed], (value) => hashOf(value, salt));
  return JSON.stringify(projected);
}

/**
 * Returns the hash of a value: HMAC-SHA-256 of its canonical JSON with the salt, in hexadecimal. Null stays null.
 */
function hashOf(value: unknown, salt: Buffer): unknown {
  if (value === null) return null;
  return `hmac-sha256:${createHmac('sha256', salt).update(canonicalJson(value)).digest('hex')}`;
}

/** The names of a pointer. */
type Path = readonly string[];

/** Returns the paths that a pointer stands for. */
function pathsOf(pointer: string): readonly Path[] {
  const path = partsOf(pointer);
  const [first, ...rest] = path;
  if (first !== 'object') return [path];
  return [path, ['changes', 'before', ...rest], ['changes', 'after', ...rest]];
}

/** Returns the names of a JSON pointer (RFC 6901). */
export function partsOf(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function changedAt(payload: JsonObject, pointers: readonly string[] = [], change: Change): JsonObject {
  let result: unknown = payload;
  for (const path of pointers.flatMap(pathsOf)) result = changedAtPath(result, path, change);
  return isJsonObject(result) ? result : payload;
}

/** Copies only the containers on the way to a value that changes. */
function changedAtPath(value: unknown, [name, ...rest]: Path, change: Change): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.flatMap((item, index) => {
      if (name !== '*' && name !== String(index)) return [item];
      const changed = changedAtPath(item, rest, change);
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, inner]) => {
      if (name !== '*' && name !== member) return [[member, inner]];
      const changed = changedAtPath(inner, rest, change);
      return changed === undefined ? [] : [[member, changed]];
    }),
  );
}

/** Returns a payload with its fixed members and the values at these paths. */
function withOnly(payload: JsonObject, paths: readonly Path[]): JsonObject {
  const wanted = [...fixedMembers.map((name) => [name]), ...paths];
  const kept = keptAt(payload, wanted);
  return isJsonObject(kept) ? kept : {};
}

/** Returns what is left of a value; undefined when nothing is. */
function keptAt(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  const below = (name: string) => paths.filter(([first]) => first === name || first === '*').map(([, ...rest]) => rest);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const kept = items.map((item, index) => keptAt(item, below(String(index)))).filter((item) => item !== undefined);
    return kept.length > 0 || paths.length > 0 ? kept : undefined;
  }
  if (!isJsonObject(value) || paths.length === 0) return undefined;
  const entries = Object.entries(value).map(([name, inner]) => [name, keptAt(inner, below(name))] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}
