import { socketCodeOf } from '../connection-errors.js';
import { retryAfterMs } from '../retry-after.js';
import { type FailureKind, type ErrorNames, kindOfName } from './failure-names.js';

/** A classified failure. */
export interface Failure {
  readonly kind: FailureKind;
  /** Stable code for `Reason.code`. */
  readonly code: string;
  readonly httpStatus: number | undefined;
  /** The wait that the vendor asked for. */
  readonly afterMs: number | undefined;
  /** Replaces the message of the kind. */
  readonly message?: string;
  /** Whether the role could not be assumed, so that the target was not called. */
  readonly assumingRole?: boolean;
}

/** Thrown before any call when the destination is misconfigured. Its owner sees `message`. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Thrown when the role could not be assumed; `cause` is the error of AWS STS or an OperatorCredentialsError. */
export class AssumeRoleError extends Error {
  override readonly name = 'AssumeRoleError';
  constructor(cause: unknown) {
    super('The role could not be assumed.', { cause });
  }
}

/** Thrown when this service got no credentials of its own, to assume a role with. */
export class OperatorCredentialsError extends Error {
  override readonly name = 'OperatorCredentialsError';
  /** @param hasHadCredentials whether this service has had some */
  constructor(
    cause: unknown,
    readonly hasHadCredentials: boolean,
  ) {
    super('This service got no AWS credentials of its own.', { cause });
  }
}

/** The SDK's name of the error when it finds no credentials, or when what issues them fails. */
const NO_CREDENTIALS = 'CredentialsProviderError';
const CREDENTIALS_MISSING =
  'This service has no AWS credentials of its own, so it cannot assume the role. Ask its operator.';
const CREDENTIALS_UNAVAILABLE =
  'This service could not get its own AWS credentials, so it cannot assume the role. Ask its operator if this lasts.';

/** The members of an SDK's error, any of which may be missing. */
interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };
}

/** Classifies what a client threw by status, name and socket code, never by the vendor's message. */
export function failureOf(thrown: unknown, own: ErrorNames = {}): Failure {
  if (thrown instanceof AssumeRoleError) return { ...failureOf(thrown.cause), assumingRole: true };
  if (thrown instanceof OperatorCredentialsError) {
    const failed = failureOf(thrown.cause);
    const isMissing = failed.code === NO_CREDENTIALS && !thrown.hasHadCredentials;
    if (isMissing) return { ...failed, kind: 'misconfigured', message: CREDENTIALS_MISSING };
    return failed.kind === 'clock_skew' ? failed : { ...failed, message: CREDENTIALS_UNAVAILABLE };
  }
  if (thrown instanceof SetupError) {
    return failure('misconfigured', thrown.code, undefined, { message: thrown.message });
  }
  const error: SdkError = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
  const name = vendorName(error.name);
  const afterMs = retryDelayOf(error);

  const socketCode = status === undefined ? socketCodeOf(thrown) : undefined;
  if (socketCode) return failure(socketCode === 'ETIMEDOUT' ? 'timeout' : 'network', socketCode, undefined);
  if (name === 'TimeoutError') return failure('timeout', 'timeout', undefined);

  const known = name === undefined ? undefined : kindOfName(name, own);
  if (name !== undefined && known !== undefined) {
    return failure(known, name, status, { afterMs, message: own[name]?.message });
  }
  // A response of a proxy fails to parse: a SyntaxError with a status.
  const named = name !== undefined && !isOwnErrorName(name);
  if (status === undefined || status < 300) return failure('unknown', name ?? 'unknown_error', status, { afterMs });
  return failure(kindOfStatus(status), named ? name : `http_${status}`, status, { afterMs });
}

function failure(
  kind: FailureKind,
  code: string,
  httpStatus: number | undefined,
  more: { afterMs?: number | undefined; message?: string | undefined } = {},
): Failure {
  const { afterMs, message } = more;
  return message === undefined ? { kind, code, httpStatus, afterMs } : { kind, code, httpStatus, afterMs, message };
}

function kindOfStatus(status: number): FailureKind {
  if (status === 429) return 'throttled';
  if (status >= 500 || status === 408) return 'unavailable';
  if (status === 413) return 'too_large';
  if (status === 404) return 'not_found';
  if (status === 401 || status === 403) return 'denied';
  return 'misconfigured';
}

/** Returns a name of the form that vendors use; other text is not shown. */
function vendorName(name: unknown): string | undefined {
  return typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/.test(name) ? name : undefined;
}

/** Returns whether the name is JavaScript's own, and not the vendor's. */
function isOwnErrorName(name: string): boolean {
  return /^(Syntax|Type|Range|Aggregate)?Error$/.test(name) || name === 'Unknown' || name === 'UnknownError';
}

/**
 * Returns the wait that the vendor asks for: a member of the error in seconds, Retry-After, or its own header in
 * milliseconds.
 */
function retryDelayOf({ $response, retryAfterSeconds }: SdkError): number | undefined {
  const headers = $response?.headers ?? {};
  const ownHeader = Number(headers['x-amz-retry-after'] ?? Number.NaN);
  const text = typeof retryAfterSeconds === 'number' ? String(retryAfterSeconds) : headers['retry-after'];
  return retryAfterMs(text) ?? retryAfterMs(Number.isNaN(ownHeader) ? undefined : String(ownHeader / 1000));
}
