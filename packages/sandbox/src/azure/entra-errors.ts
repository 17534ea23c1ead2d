import { randomUUID } from 'node:crypto';
import { json, retryAfter, type ErrorResponses, type HttpResponse } from '../protocol.js';

/** Returns the errors of each kind, as Entra words them. */
export function errorsOf(tenant: string): ErrorResponses {
  return {
    throttle: (seconds) =>
      failure(
        429,
        'temporarily_unavailable',
        90_055,
        'The server is temporarily too busy to handle the request: there are too many incoming requests.',
        retryAfter(seconds),
      ),
    deny: () => wrongSecret('scripted'),
    not_found: () => unknownTenant(tenant),
    too_large: () => failure(413, 'invalid_request', 900_144, 'The request is too large.'),
    malformed: () => failure(400, 'invalid_request', 900_144, 'The request body cannot be read.'),
    expired: () => expiredSecret('scripted'),
    failure: () => failure(500, 'server_error', 90_033, 'A transient error has occurred. Please try again.'),
  };
}

export function unknownTenant(tenant: string): HttpResponse {
  return failure(
    400,
    'invalid_tenant',
    90_002,
    `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.`,
  );
}

export function unknownApplication(clientId: string, tenant: string): HttpResponse {
  return failure(
    400,
    'unauthorized_client',
    700_016,
    `Application with identifier '${clientId}' was not found in the directory '${tenant}'.`,
  );
}

export function wrongSecret(clientId: string): HttpResponse {
  return failure(
    401,
    'invalid_client',
    7_000_215,
    `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${clientId}'.`,
  );
}

export function expiredSecret(clientId: string): HttpResponse {
  return failure(
    401,
    'invalid_client',
    7_000_222,
    `The provided client secret keys for app '${clientId}' are expired.`,
  );
}

/** Returns an error with a code of https://learn.microsoft.com/entra/identity-platform/reference-error-codes. */
export function failure(
  status: number,
  error: string,
  code: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const timestamp = new Date().toISOString().replace('T', ' ').replace(/\.\d+/, '');
  const traceId = randomUUID();
  const correlationId = randomUUID();
  return json(
    status,
    {
      error,
      error_description: `AADSTS${code}: ${text} Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`,
      error_codes: [code],
      timestamp,
      trace_id: traceId,
      correlation_id: correlationId,
      error_uri: `https://login.microsoftonline.com/error?code=${code}`,
    },
    headers,
  );
}
