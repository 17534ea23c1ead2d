import type { z } from 'zod';
import { echoed } from '../../bounds/storable.js';
import type { InputError } from '../../problems/problem.js';

/** The part of the request that a value comes from. It decides the form of the pointer of an error. */
export type InputSource = 'body' | 'query';

type Issue = z.core.$ZodIssue;

/** Most errors in one response, so that a small request cannot cause a large response. */
export const MAX_ERRORS = 50;

/** Returns zod's issues as pointers and details; for a union, the issues of the closest member. */
export function inputErrors(issues: readonly Issue[], source: InputSource): InputError[] {
  const found = issues
    .flatMap((issue) => flatten(issue, []))
    .slice(0, MAX_ERRORS)
    .map(({ path, ...finding }) => ({ pointer: pointerTo(path, source), ...finding }));
  const errors = new Map<string, InputError>();
  for (const { pointer, detail, safeInteger = false } of found) {
    if (safeInteger && found.some((other) => other.pointer === pointer && other.safeInteger !== true)) continue;
    // Two values of one query parameter have one pointer, and can have one error.
    errors.set(JSON.stringify([pointer, detail]), { pointer, detail });
  }
  return [...errors.values()];
}

interface Finding {
  readonly path: readonly PropertyKey[];
  readonly detail: string;
  /** Whether it names the limit of whole numbers in JSON: a field may have a closer limit of its own. */
  readonly safeInteger?: boolean;
}

function flatten(issue: Issue, above: readonly PropertyKey[]): Finding[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], detail: 'is unknown' }));
  }
  if (issue.code === 'invalid_union') {
    const closest = closestMember(issue.errors);
    if (closest) return closest.flatMap((member) => flatten(member, path));
    return [{ path, detail: unionDetail(issue) }];
  }
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return issue.issues.flatMap((inner) => flatten(inner, path));
  }
  const safeInteger = (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';
  return [{ path, detail: issue.message, safeInteger }];
}

/**
 * Returns the issues of the union member that the value is closest to: the value's type matches, its content does not.
 */
function closestMember(members: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const inside = members.filter((issues) => issues.every((issue) => issue.path.length > 0 || !isAboutKind(issue)));
  return inside.toSorted((a, b) => a.length - b.length)[0];
}

/** Whether the issue is about the type of the value itself. */
function isAboutKind(issue: Issue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union';
}

function unionDetail(issue: z.core.$ZodIssueInvalidUnion): string {
  const details = issue.errors
    .flatMap((member) => member.flatMap((inner) => flatten(inner, [])))
    .map(({ detail }) => detail);
  return details.length === 0 ? issue.message : [...new Set(details)].join(', or ');
}

/**
 * Returns an RFC 6901 pointer into the body, or `?name` for a query parameter. Each value of a repeated query parameter
 * has the same pointer. Long names are cut.
 */
export function pointerTo(path: readonly PropertyKey[], source: InputSource): string {
  if (source === 'query') return `?${echoed(String(path[0] ?? ''))}`;
  return path.map((part) => `/${echoed(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

/**
 * Returns the detail of a zod issue, to follow the name of a field: "must be …", "is required". Undefined keeps zod's
 * own message. zod takes it as its error map, so that a message in a schema has precedence.
 */
export function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return oneOf(issue.values);
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum, issue.inclusive !== false);
    case 'too_big':
      return tooBig(issue.origin, issue.maximum, issue.inclusive !== false);
    case 'unrecognized_keys':
      return 'has unknown fields';
    case 'invalid_format':
      if (issue.format === 'datetime') return 'must be an RFC 3339 time such as 2026-01-31T12:00:00Z';
      return `must be of the form ${issue.pattern ?? issue.format}`;
    case 'invalid_union':
      if (issue.input === undefined) return 'is required';
      return 'has none of the accepted forms';
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): string {
  const listed = values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value)));
  return listed.length === 1 ? `must be ${listed[0]}` : `must be one of ${listed.join(', ')}`;
}

function tooSmall(origin: string, minimum: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`;
  if (origin === 'array' || origin === 'set')
    return `must have at least ${minimum} ${minimum === 1 ? 'item' : 'items'}`;
  return inclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`;
}

function tooBig(origin: string, maximum: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return `must not be longer than ${maximum} characters`;
  if (origin === 'array' || origin === 'set')
    return `must not have more than ${maximum} ${maximum === 1 ? 'item' : 'items'}`;
  return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
}
