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
import type { Arrival, ReceivedLog } from '../received-log.js';

// https://docs.datadoghq.com/api/latest/logs/#send-logs
const MOST_ENTRIES = 1_000;
const MOST_CALL_BYTES = 5_000_000;
const MOST_ENTRY_BYTES = 1_000_000;
const OLDEST_MS = 18 * 60 * 60 * 1000;

/**
 * Datadog: the logs intake and the check of an API key. Its addresses are the `service` of the first entry of a call.
 */
export function datadog(log: ReceivedLog): Protocol {
  return async (request) => {
    if (request.path === '/api/v1/validate' && request.method === 'GET') return validation(request);
    if (request.path !== '/api/v2/logs' || request.method !== 'POST') return undefined;
    const body = await decodedBody(request);
    const value = body === undefined ? undefined : parseJson(body.toString('utf8'));
    const entries = Array.isArray(value) ? value : [value];
    return {
      service: 'monitoring',
      operation: 'SubmitLog',
      address: serviceOf(entries[0]),
      partial: false,
      carries: (text) => entries.some((entry) => messageOf(entry).includes(text)),
      perform: () => unauthorized(request) ?? submit(entries, body?.length ?? 0, log),
      errors,
    } satisfies Call;
  };
}

function validation(request: HttpRequest): Call {
  return {
    service: 'monitoring',
    operation: 'Validate',
    address: '',
    partial: false,
    perform: () => unauthorized(request) ?? json(200, { valid: true }),
    errors,
  };
}

/** By convention every API key is valid, except those that start with `invalid` or `disabled`. */
function unauthorized(request: HttpRequest): HttpResponse | undefined {
  const key = header(request, 'dd-api-key') ?? '';
  if (key === '') return failure(401, 'Unauthorized');
  return key.startsWith('invalid') || key.startsWith('disabled') ? failure(403, 'Forbidden') : undefined;
}

function submit(entries: readonly unknown[], bytes: number, log: ReceivedLog): HttpResponse {
  if (bytes > MOST_CALL_BYTES) return failure(413, 'Payload too large');
  if (entries.length > MOST_ENTRIES)
    return failure(400, `Too many entries: ${entries.length}, at most ${MOST_ENTRIES} are allowed`);
  const byService = new Map<string, Arrival[]>();
  for (const entry of entries) {
    if (!isObject(entry) || typeof entry['message'] !== 'string')
      return failure(400, 'Invalid JSON or unexpected payload format');
    const { message, ...rest } = entry;
    if (isTooOld(rest)) continue;
    const service = serviceOf(entry);
    const arrivals = byService.get(service) ?? [];
    arrivals.push({ body: cut(message), attributes: JSON.stringify(rest) });
    byService.set(service, arrivals);
  }
  for (const [service, arrivals] of byService) log.append('monitoring', service, 'utf8', arrivals);
  return json(202, {});
}

/** An entry over 1 MB is cut, and the call is a success. */
function cut(message: string): string {
  return Buffer.byteLength(message) <= MOST_ENTRY_BYTES
    ? message
    : Buffer.from(message).toString('utf8', 0, MOST_ENTRY_BYTES);
}

/** An entry dated more than 18 hours ago is dropped, and the call is a success. */
function isTooOld(entry: Readonly<Record<string, unknown>>): boolean {
  const date = entry['timestamp'] ?? entry['date'];
  const moment = typeof date === 'string' ? Date.parse(date) : typeof date === 'number' ? date : Number.NaN;
  return moment < Date.now() - OLDEST_MS;
}

function messageOf(entry: unknown): string {
  const message = isObject(entry) ? entry['message'] : undefined;
  return typeof message === 'string' ? message : '';
}

function serviceOf(entry: unknown): string {
  const service = isObject(entry) ? entry['service'] : undefined;
  return typeof service === 'string' ? service : '';
}

const errors: ErrorResponses = {
  throttle: (seconds) => failure(429, 'Too many requests', retryAfter(seconds)),
  deny: () => failure(403, 'Forbidden'),
  not_found: () => failure(404, 'Not found'),
  too_large: () => failure(413, 'Payload too large'),
  malformed: () => failure(400, 'Invalid JSON or unexpected payload format'),
  expired: () => failure(401, 'Unauthorized'),
  failure: () => failure(500, 'Internal server error'),
};

function failure(status: number, message: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return json(status, { errors: [message] }, headers);
}
