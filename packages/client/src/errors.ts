import type { ErrorCode, Problem } from './generated/types.js';

/** An invalid part of the input. `pointer`: into the body, `?name` for a query, `{name}` for a path parameter. */
export type InputError = NonNullable<Problem['errors']>[number];

type ProblemMembers = Omit<Problem, 'type' | 'title' | 'instance'> & Partial<Problem>;

/** Waybill refused the request. The error has the members of the problem document. */
export class WaybillError extends Error {
  override readonly name = 'WaybillError';
  /** HTTP status. */
  readonly status: number;
  /** Stable code of the error: docs/errors.md lists all codes. A later release of the service may have more. */
  readonly errorCode: ErrorCode;
  /** What went wrong, for people. */
  readonly detail: string;
  /** Every invalid part of the input. */
  readonly errors: readonly InputError[];
  /** Ids of the resources that prevent the change. */
  readonly conflicts: readonly string[];
  /** Id of the request, also in Waybill's log. */
  readonly operationId: string;
  /** Time to wait before a retry, in seconds; null without a Retry-After header. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: ProblemMembers, retryAfterSeconds: number | null) {
    super(`${problem.status} ${problem.error_code}: ${problem.detail}`);
    this.status = problem.status;
    this.errorCode = problem.error_code;
    this.detail = problem.detail;
    this.errors = listOf(problem.errors).filter(isInputError);
    this.conflicts = listOf(problem.conflicts);
    this.operationId = problem.operation_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns a list of a response that nothing has checked. */
function listOf<Item>(value: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(value) ? value : [];
}

function isInputError(value: unknown): value is InputError {
  return typeof value === 'object' && value !== null && 'pointer' in value && typeof value.pointer === 'string';
}

/** No response arrived, or only a part of it. It is unknown whether a change was made. `cause` has the reason. */
export class WaybillNetworkError extends Error {
  override readonly name = 'WaybillNetworkError';
}

/** No response arrived within `timeoutMs`. It is unknown whether a change was made. */
export class WaybillTimeoutError extends Error {
  override readonly name = 'WaybillTimeoutError';
}

/** A publisher has no memory left for another event: see `maxPendingBytes`. Nothing was sent. */
export class WaybillPublisherFullError extends Error {
  override readonly name = 'WaybillPublisherFullError';
}

/** The response is not one of Waybill's API: for example a redirect, or the HTML page of a proxy. */
export class WaybillResponseError extends Error {
  override readonly name = 'WaybillResponseError';

  constructor(
    message: string,
    /** HTTP status of the response. */
    readonly status: number,
    /** Time to wait before a retry, in seconds; null without a Retry-After header. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}
