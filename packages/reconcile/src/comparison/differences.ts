import { canonicalJson, isObject } from '@waybill/verify/readers';

/** A member that two forms of an event do not have in common. */
export interface Difference {
  /** `object.cidr`, `metadata["a.b"]`, `tags[2]`. */
  readonly member: string;
  /** What Waybill delivered; absent if the event had no such member. */
  readonly delivered?: unknown;
  /** What the file holds; absent if the event there has no such member. */
  readonly held?: unknown;
}

/** Most differences of an event that are named. */
const MOST = 50;

/** Returns the members in which an event of a file differs from what was delivered, at most 50. */
export function differencesOf(delivered: unknown, held: unknown): readonly Difference[] {
  const found: Difference[] = [];
  compare('', delivered, held, found);
  return found.slice(0, MOST);
}

function compare(member: string, delivered: unknown, held: unknown, found: Difference[]): void {
  if (found.length > MOST) return;
  if (Array.isArray(delivered) && Array.isArray(held) && delivered.length === held.length) {
    for (const [index, one] of delivered.entries()) compare(`${member}[${index}]`, one, held[index], found);
  } else if (isObject(delivered) && isObject(held)) {
    for (const name of new Set([...Object.keys(delivered), ...Object.keys(held)])) {
      const path = memberPath(member, name);
      const [before, now] = [ownMember(delivered, name), ownMember(held, name)];
      if (before === undefined || now === undefined) found.push(differenceOf(path, before, now));
      else compare(path, before, now, found);
    }
  } else if (canonicalJson(delivered) !== canonicalJson(held)) {
    found.push(differenceOf(member, delivered, held));
  }
}

function differenceOf(member: string, delivered: unknown, held: unknown): Difference {
  return { member, ...(delivered !== undefined && { delivered }), ...(held !== undefined && { held }) };
}

function memberPath(parent: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

function ownMember(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
