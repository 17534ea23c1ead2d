import { randomUUID } from 'node:crypto';
import { decodedBody } from '../content-encoding.js';
import {
  header,
  isObject,
  json,
  parseJson,
  type HttpResponse,
  type Call,
  type HttpRequest,
  type Protocol,
  type ErrorResponses,
  retryAfter,
} from '../protocol.js';
import type { ReceivedLog } from '../received-log.js';
import type { AccessTokens } from './access-tokens.js';

// https://learn.microsoft.com/azure/azure-monitor/service-limits#logs-ingestion-api
const MOST_CALL_BYTES = 1_048_576;
const pathPattern = /^\/dataCollectionRules\/([^/]+)\/streams\/([^/]+)$/;
const rulePattern = /^dcr-[0-9a-f]{32}$/;
const streamPattern = /^(Custom|Microsoft)-[\w-]{1,100}$/;
const missingRule = `dcr-${'0'.repeat(32)}`;
const audiencePattern = /^https:\/\/monitor\.azure\.(com|us|cn)$/;
/** Client ids with this prefix get tokens but have no role on any rule. */
const UNAUTHORIZED_PREFIX = 'dddddddd-';

/** Azure Monitor's Logs Ingestion. Its addresses are `<data collection rule id>/<stream name>`. */
export function logIngestion(tokens: AccessTokens, log: ReceivedLog): Protocol {
  return async (request) => {
    const match = pathPattern.exec(request.path);
    if (match === null || request.method !== 'POST') return undefined;
    const rule = decodeURIComponent(match[1] ?? '');
    const stream = decodeURIComponent(match[2] ?? '');
    const body = await decodedBody(request);
    return {
      service: 'log_ingestion',
      operation: 'Upload',
      address: `${rule}/${stream}`,
      partial: false,
      carries: (text) => body?.includes(text) ?? false,
      perform: () =>
        unauthorized(request, rule, tokens) ??
        addressError(request, rule, stream) ??
        upload(body, `${rule}/${stream}`, log),
      errors: errorsOf(rule),
    } satisfies Call;
  };
}

function unauthorized(request: HttpRequest, rule: string, tokens: AccessTokens): HttpResponse | undefined {
  const authorization = header(request, 'authorization') ?? '';
  if (!authorization.startsWith('Bearer '))
    return error(
      401,
      'MissingAuthorizationHeader',
      'The authorization header is missing or not a bearer token.',
      challenge,
    );
  const claims = tokens.read(authorization.slice('Bearer '.length));
  if (claims === undefined)
    return error(401, 'InvalidToken', 'The authentication token provided is not valid.', challenge);
  if (claims.expiresAt * 1000 <= Date.now()) return expired();
  if (!audiencePattern.test(claims.audience))
    return error(401, 'InvalidToken', 'The authentication token provided is for another audience.', challenge);
  return claims.clientId.startsWith(UNAUTHORIZED_PREFIX) ? denied(rule) : undefined;
}

const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };

function addressError(request: HttpRequest, rule: string, stream: string): HttpResponse | undefined {
  const version = new URLSearchParams(request.query).get('api-version');
  if (version !== '2023-01-01')
    return error(400, 'InvalidApiVersion', `The api-version '${version ?? ''}' is missing or not supported.`);
  if (!rulePattern.test(rule) || rule === missingRule) return notFound(rule);
  if (!streamPattern.test(stream) || stream.startsWith('Custom-missing')) {
    return error(
      400,
      'InvalidStream',
      `The stream '${stream}' was not found in the data collection rule with immutable Id '${rule}'.`,
    );
  }
  const type = header(request, 'content-type') ?? '';
  return type.startsWith('application/json')
    ? undefined
    : error(415, 'UnsupportedMediaType', `The content type '${type}' is not supported.`);
}

function upload(body: Buffer | undefined, address: string, log: ReceivedLog): HttpResponse {
  if (body === undefined)
    return error(400, 'InvalidContentEncoding', 'The content could not be decoded with the content encoding given.');
  if (body.length > MOST_CALL_BYTES) return tooLarge(body.length);
  const rows = parseJson(body.toString('utf8'));
  if (!Array.isArray(rows) || !rows.every(isObject))
    return error(400, 'InvalidPayload', 'The payload must be a JSON array of objects.');
  log.append(
    'log_ingestion',
    address,
    'utf8',
    rows.map((row) => ({ body: JSON.stringify(row) })),
  );
  return { status: 204, headers: { 'x-ms-client-request-id': randomUUID() }, body: '' };
}

function errorsOf(rule: string): ErrorResponses {
  return {
    throttle: (seconds) =>
      error(
        429,
        'TooManyRequests',
        `The data collection rule with immutable Id '${rule}' is over its limit of requests or bytes a minute.`,
        retryAfter(seconds),
      ),
    deny: () => denied(rule),
    not_found: () => notFound(rule),
    too_large: () => tooLarge(MOST_CALL_BYTES + 1),
    malformed: () => error(400, 'InvalidPayload', 'The payload holds a row that cannot be read.'),
    expired,
    failure: () => error(500, 'InternalServerError', 'The service has encountered an internal server error.'),
  };
}

function expired(): HttpResponse {
  return error(401, 'TokenExpired', 'The authentication token provided has expired.', challenge);
}

function denied(rule: string): HttpResponse {
  return error(
    403,
    'OperationFailed',
    `The authentication token provided does not have access to ingest data for the data collection rule with immutable Id '${rule}'.`,
  );
}

function notFound(rule: string): HttpResponse {
  return error(404, 'NotFound', `Data collection rule with immutable Id '${rule}' not found.`);
}

function tooLarge(bytes: number): HttpResponse {
  return error(
    413,
    'ContentLengthLimitExceeded',
    `Maximum allowed content length: ${MOST_CALL_BYTES} bytes (1 MB). Provided content length: ${bytes} bytes.`,
  );
}

function error(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return json(status, { error: { code, message } }, { 'x-ms-error-code': code, ...headers });
}
