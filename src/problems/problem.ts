/** One thing wrong with the input: where (an RFC 6901 pointer into the body, or `?name` for a query parameter), and what. */
export interface InputError {
  readonly pointer: string;
  readonly detail: string;
}

/** What can go wrong with a request, in the words of the domain. `http/` gives each its status. */
export type ProblemKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable';

/** What a problem may carry beside its kind and its words. */
export interface ProblemExtras {
  /** Every input error, for `invalid`. */
  readonly errors?: readonly InputError[];
  /** Seconds after which trying again makes sense (`rate_limited`, `unavailable`). */
  readonly retryAfterSeconds?: number;
  /** Ids that stand in the way: the referrers of a resource that is still in use. */
  readonly conflicts?: readonly string[];
  readonly cause?: unknown;
}

/**
 * An error that the client is told about. Everything else that is thrown is a fault of ours and shows as a 500 without detail.
 * `code` is stable and documented (`docs/errors.md`); `message` is for people.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly errors: readonly InputError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly conflicts: readonly string[] | undefined;

  constructor(
    readonly kind: ProblemKind,
    readonly code: string,
    detail: string,
    extras: ProblemExtras = {},
  ) {
    super(detail, { cause: extras.cause });
    this.errors = extras.errors;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.conflicts = extras.conflicts;
  }
}

/** Invalid input: nothing was changed. Takes every error at once, so that a client mends them in one go. */
export function invalidInput(errors: readonly InputError[]): Problem {
  const [first] = errors;
  const detail =
    errors.length === 1 && first
      ? `${first.pointer || 'The body'}: ${first.detail}`
      : `${errors.length} things in the request are not valid.`;
  return new Problem('invalid', 'invalid_input', detail, { errors });
}

/** No such resource in the caller's account (an id of another account is answered the same way). */
export function notFound(what: string, id: string): Problem {
  return new Problem('not_found', 'not_found', `There is no ${what} with the id ${JSON.stringify(id)}.`);
}
