import { forEvery } from '../bisect.js';
import type { CallAnswer } from '../bisect.js';
import { retryAfterMs } from '../retry-after.js';
import type { Outcome, Reason } from '../target.js';
import { unanswered } from '../connection-errors.js';
import { TokenError } from './credential.js';
import type { TokenFailure } from './credential.js';
import { logIngestionLimits } from './encode.js';
import type { Row } from './encode.js';

/** The service's answer as the client's error has it. */
export interface Answer {
  readonly status: number;
  /** The service's own error code, such as `OperationFailed`. */
  readonly code: string | undefined;
  readonly retryAfter: string | undefined;
}

/** What is fit to be shown of a code that came over the wire. */
const presentable = /^[A-Za-z0-9_.-]{1,80}$/;

/** The answer in an error of the client; undefined where there was none. */
export function answerOf(error: unknown): Answer | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return undefined;
  const header = headersOf(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : header('x-ms-error-code');
  return {
    status: error.statusCode,
    code: code !== undefined && code !== 'PARSE_ERROR' && presentable.test(code) ? code : undefined,
    retryAfter: header('retry-after'),
  };
}

/** A client's error keeps the answer's headers in `response.headers`, which has a `get`. */
function headersOf(error: Error): (name: string) => string | undefined {
  const response: unknown = 'response' in error ? error.response : undefined;
  const headers: unknown = isObject(response) && 'headers' in response ? response.headers : undefined;
  return (name) => {
    const value: unknown =
      isObject(headers) && 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : null;
    return typeof value === 'string' ? value : undefined;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What a call that threw `error` means for the rows that it carried: the service takes all of them or none. */
export function readError(rows: readonly Row[], error: unknown, signal: AbortSignal): CallAnswer {
  if (signal.aborted) return forEvery(rows, unanswered(error, signal));
  if (error instanceof TokenError) return forEvery(rows, tokenOutcome(error.failure));
  const answer = answerOf(error);
  return answer ? readAnswer(rows, answer) : forEvery(rows, unanswered(error, signal));
}

/**
 * The statuses of the service:
 * https://learn.microsoft.com/azure/azure-monitor/logs/logs-ingestion-api-overview#troubleshooting
 */
function readAnswer(rows: readonly Row[], { status, code, retryAfter }: Answer): CallAnswer {
  const reason: Reason = { code: code ?? `http_${status}`, message: messageOf(status), httpStatus: status };
  if (status === 413 || (status === 400 && !blamesDestination(code))) return { refused: reason };
  if (status === 408 || status === 429 || status >= 500)
    return forEvery(rows, retry(reason, retryAfterMs(retryAfter)));
  return forEvery(rows, { kind: 'misconfigured', reason });
}

/** A code of a 400 that names the stream or the rule blames the address, not the rows. */
function blamesDestination(code: string | undefined): boolean {
  return code !== undefined && /stream|rule/i.test(code);
}

function retry(reason: Reason, afterMs: number | undefined): Outcome {
  return { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) };
}

function messageOf(status: number): string {
  switch (status) {
    case 400:
      return 'Azure Monitor refused this event, or the data collection rule does not know the stream. Check the stream’s name and the columns it declares.';
    case 401:
      return 'Azure Monitor does not accept the token of the application. Check that the tenant and the ingestion address are of the same cloud.';
    case 403:
      return 'The application may not send to this data collection rule. Give it the role Monitoring Metrics Publisher on the rule; that takes up to 30 minutes to show.';
    case 404:
      return 'Azure Monitor does not know this data collection rule at this address. Check the rule’s immutable id and the ingestion address.';
    case 408:
      return 'Azure Monitor gave up waiting for the call to arrive.';
    case 413:
      return 'This event is larger than Azure Monitor accepts.';
    case 429:
      return 'Azure Monitor is throttling this data collection rule.';
    default:
      if (status >= 500) return 'Azure Monitor is failing at the moment.';
      if (status >= 300 && status <= 399)
        return 'Azure Monitor answered with a redirect, which is never followed. Check the ingestion address.';
      return 'Azure Monitor answered in a way that its interface does not describe. Check the ingestion address.';
  }
}

/** OAuth errors that only a change of the destination, or of the application, mends. RFC 6749, section 5.2, and Entra's own. */
const permanentErrors = new Set([
  'access_denied',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_resource',
  'invalid_scope',
  'invalid_tenant',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/**
 * AADSTS numbers that pass, whatever OAuth error they come with: a loop detected (50196), a server asked for a retry (90006), a
 * timeout (90012), quota (90015), a transient error (90033), throttling (90055).
 * https://learn.microsoft.com/entra/identity-platform/reference-error-codes
 */
const passingNumbers = new Set([50196, 90006, 90012, 90015, 90033, 90055]);

/** What an answer of the token service means for a call. What is not known to be permanent is retried. */
export function tokenOutcome(failure: TokenFailure): Outcome {
  const { status, oauthError, aadsts, socketCode } = failure;
  const named = aadsts === undefined ? oauthError : `AADSTS${aadsts}`;
  const code =
    named !== undefined && presentable.test(named)
      ? named
      : (socketCode ?? (status ? `http_${status}` : 'token_unavailable'));
  const permanent =
    status !== undefined &&
    status < 500 &&
    status !== 429 &&
    oauthError !== undefined &&
    permanentErrors.has(oauthError) &&
    !passingNumbers.has(aadsts ?? 0);
  const message = permanent ? tokenMessage(oauthError) : 'Microsoft Entra gave no token at the moment.';
  const reason: Reason = { code, message, ...(status !== undefined && { httpStatus: status }) };
  return permanent ? { kind: 'misconfigured', reason } : retry(reason, failure.retryAfterMs);
}

function tokenMessage(oauthError: string): string {
  switch (oauthError) {
    case 'invalid_client':
      return 'Microsoft Entra does not accept the client secret. Check that it is the secret’s value (not its id), that it has not expired, and that it belongs to this application.';
    case 'unauthorized_client':
      return 'Microsoft Entra does not know this application in this tenant. Check the client id and the tenant id.';
    case 'invalid_tenant':
    case 'invalid_request':
      return 'Microsoft Entra does not know this tenant, or refused the request. Check the tenant id and the client id.';
    default:
      return 'Microsoft Entra does not let this application sign in. Check the application and the policies of its tenant.';
  }
}

/** Why an event is not sent at all. */
export function rowTooLarge(bytes: number): Reason {
  return {
    code: 'record_too_large',
    message: `The event takes ${bytes} bytes as a row. A call holds ${logIngestionLimits.recordBytes}, so it was not sent.`,
  };
}
