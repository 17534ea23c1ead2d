import { isObject } from '../api/references.js';

/** A value that changed. */
export interface ValueChange {
  /** Dotted path of the member. */
  readonly path: string;
  /** Undefined: there was no such member. */
  readonly before: unknown;
  /** Undefined: the member was removed. */
  readonly after: unknown;
}

/**
 * Returns what differs between two values, member by member. The order of the members of an object is no difference; a
 * list is one value.
 */
export function changedValues(before: unknown, after: unknown, path = ''): readonly ValueChange[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...names].flatMap((name) =>
      changedValues(memberOf(before, name), memberOf(after, name), path === '' ? name : `${path}.${name}`),
    );
  }
  return JSON.stringify(orderedLike(before, after)) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** Returns a value with the members of its objects in the order of another value. */
export function orderedLike(value: unknown, model: unknown): unknown {
  if (Array.isArray(value)) {
    const models: readonly unknown[] = Array.isArray(model) ? model : [];
    return value.map((item, index) => orderedLike(item, models[index]));
  }
  if (!isObject(value)) return value;
  const order = isObject(model) ? model : {};
  const names = [...Object.keys(order).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, orderedLike(value[name], memberOf(order, name))]));
}

/** Returns a member of an object; undefined for what every object inherits, such as `constructor`. */
function memberOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns a value as a text. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where two texts differ: the characters that both begin with, and those that both end with. */
export interface Difference {
  readonly start: number;
  readonly end: number;
}

/** Compares two texts. */
export function differenceOf(left: string, right: string): Difference {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return { start, end };
}

/** Longest text that is shown in full. */
const LONGEST = 60;

/** Characters that are shown on each side of a difference. */
const AROUND = 12;

/** Returns two texts, long ones cut to what differs. */
export function cutToDifference(left: string, right: string): readonly [string, string] {
  if (Math.max(left.length, right.length) <= LONGEST) return [left, right];
  const { start, end } = differenceOf(left, right);
  return [cut(left, start, end), cut(right, start, end)];
}

function cut(text: string, start: number, end: number): string {
  const from = Math.max(0, start - AROUND);
  const to = Math.min(text.length, text.length - end + AROUND);
  const part = text.slice(from, to);
  const short = part.length > LONGEST ? `${part.slice(0, LONGEST / 2)}…${part.slice(-LONGEST / 2)}` : part;
  return `${from > 0 ? '…' : ''}${short}${to < text.length ? '…' : ''}`;
}
