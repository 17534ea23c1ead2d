import { type CallResult, sameOutcome } from '../bisect.js';
import { noResponseOutcome } from '../connection-errors.js';
import { type HttpVendor, httpResult, type VendorResponse } from '../http-result.js';
import type { Outcome, Reason } from '../target.js';
import { TokenError, type TokenFailure } from './credential.js';
import { logIngestionLimits, type Row } from './encode.js';

/** Codes from the wire that may be shown. */
const presentable = /^[A-Za-z0-9_.-]{1,80}$/;

/** Returns the response in an error of the client, or undefined without one. */
export function responseOf(error: unknown): VendorResponse | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined;
  const header = headersOf(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : header('x-ms-error-code');
  return {
    status: error.statusCode,
    code: code !== undefined && code !== 'PARSE_ERROR' && presentable.test(code) ? code : undefined,
    retryAfter: header('retry-after'),
  };
}

/** Reads headers of an error's `response.headers`, which has a `get`. */
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

const azure: HttpVendor = {
  name: 'Azure Monitor',
  addressField: 'ingestion address',
  messages: {
    400: 'Azure Monitor refused the event, or the data collection rule does not have the stream. Check the name of the stream and the columns that it declares.',
    401: 'Azure Monitor refused the token of the application. Check that the tenant and the ingestion address belong to the same cloud.',
    403: 'The application may not send to this data collection rule. Give it the role Monitoring Metrics Publisher on the rule, which takes up to 30 minutes to apply.',
    404: 'Azure Monitor has no such data collection rule at this address. Check the immutable id of the rule and the ingestion address.',
    429: 'Azure Monitor is throttling this data collection rule.',
  },
  // A code that names the stream or the rule is about the destination.
  blamesRecord: ({ code }) => code === undefined || !/stream|rule/i.test(code),
};

/**
 * Returns the result of a call that threw `error`: the service accepts all rows or none. The statuses:
 * https://learn.microsoft.com/azure/azure-monitor/logs/logs-ingestion-api-overview#troubleshooting
 */
export function errorResult(rows: readonly Row[], error: unknown, signal: AbortSignal): CallResult {
  if (signal.aborted) return sameOutcome(rows, noResponseOutcome(error, signal));
  if (error instanceof TokenError) return sameOutcome(rows, tokenOutcome(error.failure));
  const response = responseOf(error);
  return response ? httpResult(rows, response, azure) : sameOutcome(rows, noResponseOutcome(error, signal));
}

/**
 * OAuth errors that last until the destination or the application is changed. RFC 6749, section 5.2, and Entra's own.
 */
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
 * Transient AADSTS numbers, whatever the OAuth error: loop detected (50196), retry requested (90006), timeout (90012),
 * quota (90015), transient error (90033), throttling (90055).
 * https://learn.microsoft.com/entra/identity-platform/reference-error-codes
 */
const transientNumbers = new Set([50196, 90006, 90012, 90015, 90033, 90055]);

/** Returns the outcome of a call that got no token. Retries unless the failure is known to be permanent. */
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
    !transientNumbers.has(aadsts ?? 0);
  const message = permanent ? tokenMessage(oauthError) : 'Microsoft Entra issued no token. Waybill tries again.';
  const reason: Reason = { code, message, ...(status !== undefined && { httpStatus: status }) };
  return permanent
    ? { kind: 'misconfigured', reason }
    : { kind: 'retry', reason, ...(failure.retryAfterMs !== undefined && { afterMs: failure.retryAfterMs }) };
}

function tokenMessage(oauthError: string): string {
  switch (oauthError) {
    case 'invalid_client':
      return 'Microsoft Entra refused the client secret. Check that it is the value of the secret (not its id), that it has not expired, and that it belongs to this application.';
    case 'unauthorized_client':
      return 'The tenant has no such application. Check the client id and the tenant id.';
    case 'invalid_tenant':
    case 'invalid_request':
      return 'Microsoft Entra has no such tenant, or refused the request. Check the tenant id and the client id.';
    default:
      return 'Microsoft Entra does not let this application sign in. Check the application and the policies of its tenant.';
  }
}

/** Returns why an event is not sent. */
export function rowTooLarge(bytes: number): Reason {
  return {
    code: 'record_too_large',
    message: `The event has ${bytes} bytes as a row. The limit of a call is ${logIngestionLimits.recordBytes}, so it was not sent.`,
  };
}
