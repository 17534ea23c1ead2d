import { echoed } from '../bounds/storable.js';
import type { KnownErrorCode } from './error-codes.js';

/** A position in a text. */
export interface TextPosition {
  /** Characters before the position. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/**
 * One error in the input: a pointer (RFC 6901 into the body, `?name` or `{name}` for a parameter) and a detail.
 */
export interface InputError {
  readonly pointer: string;
  readonly detail: string;
  /** Where the error is within the value, where the value is an expression. */
  readonly position?: TextPosition;
}

/** Optional members of a problem. */
export interface ProblemExtras {
  /** The errors of `invalid_input`; the fields that a conflict is about, where it has them. */
  readonly errors?: readonly InputError[];
  /** Seconds to wait before a retry. */
  readonly retryAfterSeconds?: number;
  /** Ids of the conflicting resources, such as those that reference a resource. */
  readonly conflicts?: readonly string[];
  /** The roles of API keys that would have been permitted (`role_not_allowed`). */
  readonly allowedRoles?: readonly string[];
  readonly cause?: unknown;
}

/**
 * An error for the client. Anything else that is thrown becomes a 500 without detail. `code` has an HTTP status, is
 * stable and documented (`docs/errors.md`); `message` is the detail, for people.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly errors: readonly InputError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly conflicts: readonly string[] | undefined;
  readonly allowedRoles: readonly string[] | undefined;

  constructor(
    readonly code: KnownErrorCode,
    detail: string,
    extras: ProblemExtras = {},
  ) {
    super(detail, { cause: extras.cause });
    this.errors = extras.errors;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.conflicts = extras.conflicts;
    this.allowedRoles = extras.allowedRoles;
  }
}

/** Returns the problem of invalid input, with every error. */
export function invalidInput(errors: readonly InputError[]): Problem {
  const [first] = errors;
  const detail =
    errors.length === 1 && first
      ? `${first.pointer || 'The body'}: ${first.detail}`
      : `The request has ${errors.length} errors: see errors.`;
  return new Problem('invalid_input', detail, { errors });
}

/**
 * Returns a problem with other pointers: those of the request, where a part of the request was written. Other errors
 * are returned as they are.
 */
export function withPointers(error: unknown, toPointer: (pointer: string) => string): unknown {
  if (!(error instanceof Problem) || error.errors === undefined) return error;
  const errors = error.errors.map((one) => ({ ...one, pointer: toPointer(one.pointer) }));
  if (error.code === 'invalid_input') return invalidInput(errors);
  const { code, message, conflicts } = error;
  return new Problem(code, message, { errors, cause: error, ...(conflicts && { conflicts }) });
}

/** Returns an error with the pointers below `part` relative to it: those of a request whose body is that part. */
export function relativeTo(error: unknown, part: string): unknown {
  return withPointers(error, (pointer) => (pointer.startsWith(`${part}/`) ? pointer.slice(part.length) : pointer));
}

/** Returns the problem of a resource that the caller's account does not have. */
export function notFound(what: string, id: string): Problem {
  return new Problem('not_found', `There is no ${what} with the id ${JSON.stringify(echoed(id))}.`);
}
