import { retryAfterMs } from '../retry-after.js';
import { socketCodeOf } from '../connection-errors.js';
import { type FailureKind, type SpecialNames, kindOfName } from './failure-names.js';

/** A failed call, classified. */
export interface Failure {
  readonly kind: FailureKind;
  /** Stable code for `Reason.code`. */
  readonly code: string;
  readonly httpStatus: number | undefined;
  /** What the vendor asked us to wait. */
  readonly afterMs: number | undefined;
  /** A sentence that overrides the one for the kind. */
  readonly message?: string;
  /** Whether it was the role that could not be assumed, before the target was called. */
  readonly assuming?: boolean;
}

/** The destination cannot work as it is set up; found before any call. `message` is for its owner. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The role could not be assumed; `cause` is what the token service, or the search for our own identity, said. */
export class RoleNotAssumed extends Error {
  override readonly name = 'RoleNotAssumed';
  constructor(cause: unknown) {
    super('The role could not be assumed.', { cause });
  }
}

/** What the SDKs put on an error, read without trusting that it is there. */
interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };
}

/**
 * Classifies what a client threw: by status, name and socket code, never by the text of the message (which is the vendor's and may
 * hold anything). An abort of `signal` explains whatever was thrown.
 */
export function failureOf(thrown: unknown, signal: AbortSignal, special: SpecialNames = {}): Failure {
  if (thrown instanceof RoleNotAssumed && !signal.aborted) {
    return { ...failureOf(thrown.cause, signal), assuming: true };
  }
  if (thrown instanceof SetupError) {
    return failure('misconfigured', thrown.code, undefined, { message: thrown.message });
  }
  const error: SdkError = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
  const name = vendorName(error.name);
  const afterMs = waitOf(error);

  if (signal.aborted) return abortedBy(signal);
  const socketCode = status === undefined ? socketCodeOf(thrown) : undefined;
  if (socketCode) return failure(socketCode === 'ETIMEDOUT' ? 'timeout' : 'network', socketCode, undefined);
  if (name === 'TimeoutError') return failure('timeout', 'timeout', undefined);
  if (name === 'CredentialsProviderError') return failure('misconfigured', name, undefined);
  if (error.$metadata?.clockSkewCorrected === true)
    return failure('skewed', name ?? `http_${status ?? 0}`, status);

  const known = name === undefined ? undefined : kindOfName(name, special);
  if (name !== undefined && known !== undefined) {
    return failure(known, name, status, { afterMs, message: special[name]?.message });
  }
  // An answer that is not the vendor's own (a proxy's page) fails to parse: a SyntaxError with the status set.
  const named = name !== undefined && !isOwnErrorName(name);
  if (status === undefined || status < 300)
    return failure('unknown', name ?? 'unknown_error', status, { afterMs });
  return failure(kindOfStatus(status), named ? name : `http_${status}`, status, { afterMs });
}

/** The failure of a call that was ended, or never begun, because `signal` aborted. */
export function abortedBy(signal: AbortSignal): Failure {
  const timedOut = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  return timedOut ? failure('timeout', 'timeout', undefined) : failure('aborted', 'interrupted', undefined);
}

function failure(
  kind: FailureKind,
  code: string,
  httpStatus: number | undefined,
  more: { afterMs?: number | undefined; message?: string | undefined } = {},
): Failure {
  const { afterMs, message } = more;
  return message === undefined
    ? { kind, code, httpStatus, afterMs }
    : { kind, code, httpStatus, afterMs, message };
}

function kindOfStatus(status: number): FailureKind {
  if (status === 429) return 'throttled';
  if (status >= 500 || status === 408) return 'unavailable';
  if (status === 413) return 'too_large';
  if (status === 404) return 'not_found';
  if (status === 401 || status === 403) return 'denied';
  return 'misconfigured';
}

/** A name as vendors write them; anything else stays out of what we show. */
function vendorName(name: unknown): string | undefined {
  return typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/.test(name) ? name : undefined;
}

/** Names of JavaScript's own errors say nothing about the vendor. */
function isOwnErrorName(name: string): boolean {
  return /^(Syntax|Type|Range|Aggregate)?Error$/.test(name) || name === 'Unknown' || name === 'UnknownError';
}

/** What the vendor asks us to wait: as a member of the error, in seconds or as a date, or in milliseconds in a header of its own. */
function waitOf({ $response, retryAfterSeconds }: SdkError): number | undefined {
  const headers = $response?.headers ?? {};
  const ownHeader = Number(headers['x-amz-retry-after'] ?? Number.NaN);
  const text = typeof retryAfterSeconds === 'number' ? String(retryAfterSeconds) : headers['retry-after'];
  return retryAfterMs(text) ?? retryAfterMs(Number.isNaN(ownHeader) ? undefined : String(ownHeader / 1000));
}
