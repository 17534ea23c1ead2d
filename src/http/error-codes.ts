import type { ProblemKind } from '../problems/problem.js';

/** An error code as it is documented. */
export interface ErrorCode {
  readonly status: number;
  /** Says what kind of error it is; the same for every error of the code. */
  readonly title: string;
  /** When it happens, and what a client can do. One or two sentences; `docs/errors.md` is made of them. */
  readonly meaning: string;
}

/** Status of each kind of problem: the one place that maps the domain's words to HTTP's. */
export const statusOf: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
};

/**
 * Every `error_code` that an answer may carry. Codes are stable: new ones may come, none changes its meaning.
 * A test looks through the source for codes that are missing here.
 */
export const errorCodes = {
  invalid_input: {
    status: 400,
    title: 'The input is not valid',
    meaning: '`errors` names every field or query parameter that is wrong, and how. Nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    meaning: 'The body is not JSON in UTF-8, or has more than 32 levels.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is malformed',
    meaning: 'The request breaks HTTP itself: a broken URL, header or content length.',
  },
  service_version_missing: {
    status: 400,
    title: 'The version header is missing',
    meaning: 'Send `Service-Version: 2` with every request.',
  },
  service_version_unsupported: {
    status: 400,
    title: 'The version is not supported',
    meaning: 'The only version of the API is 2: send `Service-Version: 2`.',
  },
  host_invalid: {
    status: 400,
    title: 'The Host header cannot be used',
    meaning:
      'The addresses in responses contain the Host header, and this one is not a host. Correct it, or set PUBLIC_URL.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The idempotency key is not valid',
    meaning: '`Idempotency-Key` must be 1 to 255 printable ASCII characters.',
  },
  credentials_missing: {
    status: 401,
    title: 'There are no credentials',
    meaning:
      'Send `Authorization: Bearer <API key>`; to `/metrics` METRICS_TOKEN instead, to the internal interface DATA_PLANE_KEY.',
  },
  credentials_invalid: {
    status: 401,
    title: 'The credentials are not valid',
    meaning:
      'The API key does not exist, or has been deleted; at `/metrics` and at the internal interface: this is not what is asked for there.',
  },
  principal_inactive: {
    status: 403,
    title: 'The bot is inactive',
    meaning: 'The key belongs to a bot whose `active` is false.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The caller is known and may not do this. `detail` says why.',
  },
  not_found: {
    status: 404,
    title: 'No such resource',
    meaning: 'There is no such resource in the account of the API key.',
  },
  route_not_found: {
    status: 404,
    title: 'No such address',
    meaning: 'The API has nothing at this path.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    meaning: 'The path exists, the method does not. The `Allow` header lists those that do.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The request was not received in full in time.',
  },
  conflict: {
    status: 409,
    title: 'In conflict with what exists',
    meaning:
      'The change contradicts the present state. `detail` says how; `conflicts`, where present, names the resources in the way.',
  },
  still_referenced: {
    status: 409,
    title: 'Still referred to',
    meaning: 'Other resources refer to this one; `conflicts` lists their ids. Change or delete those first.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is still running',
    meaning:
      'A request with this `Idempotency-Key` has not been answered yet. Try again after `Retry-After` seconds.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key belongs to another request',
    meaning:
      'This `Idempotency-Key` was used for a request with another path or body within the last 24 hours. Use a new one.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    meaning: '`If-Match` names another version than the present one. Read the resource again.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning: 'The body is larger than the server accepts (`MAX_BODY_BYTES`).',
  },
  event_too_large: {
    status: 413,
    title: 'The resource does not fit into its event',
    meaning:
      'Every change is an event of at most 64 KiB, and this resource would be larger. Make it smaller.',
  },
  uri_too_long: {
    status: 414,
    title: 'The address is too long',
    meaning: 'A part of the path is longer than any id.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has the wrong type',
    meaning:
      'Bodies are sent with `Content-Type: application/json`, in UTF-8 and without a content encoding.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The API key has used up its rate (`RATE_LIMIT_PER_MINUTE`). Try again after `Retry-After` seconds.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    meaning: 'The request line and headers are larger than the server accepts (16 KiB).',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong in the service',
    meaning: 'A fault of the service. The log has the details under the `operation_id`.',
  },
  addresses_exhausted: {
    status: 503,
    title: 'No address is left',
    meaning: 'Nearly every TCP address of the region was assigned already. Ask for one in another region.',
  },
  unavailable: {
    status: 503,
    title: 'A store does not answer',
    meaning:
      'The database or the queue store cannot be reached, or is too busy. Try again after `Retry-After` seconds.',
  },
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** An `error_code`. */
export type KnownErrorCode = keyof typeof errorCodes;

/** What is documented about a code; undefined for one that is missing from the table. */
export function describeErrorCode(code: string): ErrorCode | undefined {
  return Object.hasOwn(errorCodes, code)
    ? Object.entries<ErrorCode>(errorCodes).find(([name]) => name === code)?.[1]
    : undefined;
}
