import type { Problem } from '@waybill/client';

/** The API refused a request: a problem document. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** HTTP status. */
  readonly status: number;

  constructor(
    readonly problem: Problem,
    /** Time to wait before a retry, in seconds; null without a Retry-After header. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(problem.detail);
    this.status = problem.status;
  }
}

/** No response of the API arrived: the connection failed, or a proxy answered. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Whether the session has ended, so that the person must sign in again. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401;
}

/** Whether the account has no such resource. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}

/**
 * Returns the error of a response that is not a success.
 * @param text the body as it was received
 */
export function errorOf(response: Response, text: string): ProblemError | ConnectionError {
  const body = parsed(text);
  if (!isProblem(body)) return new ConnectionError(`The response is not one of Waybill (HTTP ${response.status}).`);
  const header = response.headers.get('retry-after') ?? '';
  return new ProblemError({ ...body, status: response.status }, /^\d{1,9}$/.test(header) ? Number(header) : null);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'error_code') === 'string' && typeof Reflect.get(value, 'detail') === 'string';
}
