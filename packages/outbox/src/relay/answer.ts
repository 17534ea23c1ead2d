import { retryAfterMs } from './retry-after.js';

/** An error of Waybill's answer. */
export interface AnswerError {
  readonly pointer: string;
  readonly detail: string;
}

/** Events of a batch that Waybill refuses, by index, with their errors. */
export type RefusedEvents = ReadonlyMap<number, readonly AnswerError[]>;

/** What an answer means for the batch. */
export type Answer =
  /** Waybill has stored all events, now or before. */
  | { readonly kind: 'accepted' }
  /** Waybill refuses these events, and has stored none. The status is null if the relay itself refuses them. */
  | {
      readonly kind: 'events_refused';
      readonly status: number | null;
      readonly errorCode: string;
      readonly events: RefusedEvents;
    }
  /** Waybill refuses the batch and does not name events. */
  | {
      readonly kind: 'batch_refused';
      readonly status: number;
      readonly errorCode: string;
      readonly detail: string;
    }
  /** The batch may be stored or not: send it again. */
  | {
      readonly kind: 'unavailable';
      readonly detail: string;
      readonly retryAfterMs: number;
      /** Whether a smaller batch may succeed. */
      readonly tooSlow: boolean;
    }
  /** Nothing can be published before the operator changes something. */
  | { readonly kind: 'misconfigured'; readonly detail: string; readonly retryAfterMs: number };

/** A response, read. */
export interface ReadResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly location: string | null;
  readonly body: string;
}

/** A problem document of Waybill. */
interface ProblemDocument {
  readonly errorCode: string;
  readonly detail: string;
  readonly errors: readonly AnswerError[];
}

/** Codes of a refusal that is about the content. Others of the same status are about the request or a proxy. */
const ABOUT_CONTENT: ReadonlySet<string> = new Set([
  'invalid_input',
  'malformed_json',
  'event_id_reused',
  'event_too_large',
  'body_too_large',
]);

/** Longest text of an error that is logged and stored. */
const LONGEST_DETAIL = 1_000;

/**
 * Returns what a response means.
 * @param count number of events of the batch
 */
export function interpret(response: ReadResponse, count: number): Answer {
  const { status, retryAfter } = response;
  const problem = problemIn(response.body);
  const wait = retryAfterMs(retryAfter);
  if (status === 202) return interpretAccepted(response.body, count);
  if (problem && ABOUT_CONTENT.has(problem.errorCode) && status < 500) return refusal(status, problem, count);
  const said = problem ? `${problem.errorCode}: ${problem.detail}` : 'the answer is not one of Waybill';
  const detail = cut(`Waybill answered ${status}: ${said}`, LONGEST_DETAIL);
  // A proxy in between may allow less than Waybill.
  if (status === 413) return { kind: 'batch_refused', status, errorCode: 'http_413', detail };
  // Waybill answers 503 also where a check or a statement took too long.
  const tooSlow = status === 408 || status === 504 || (status === 503 && problem !== null);
  if (status >= 500 || status === 429 || status === 408 || problem?.errorCode === 'idempotency_key_in_use')
    return { kind: 'unavailable', detail, retryAfterMs: wait, tooSlow };
  return { kind: 'misconfigured', detail: `${detail}${hint(response)}`, retryAfterMs: wait };
}

/** A 202 of another service must not delete an event. */
function interpretAccepted(body: string, count: number): Answer {
  const parsed = parsedObject(body);
  const results = Array.isArray(parsed?.['events']) ? (parsed['events'] as readonly unknown[]) : [];
  const named = results.filter((result) => isObject(result) && typeof result['event_id'] === 'string');
  if (named.length === count && results.length === count) return { kind: 'accepted' };
  const detail = `Waybill answered 202, and ${named.length} of ${count} events have a result in the body`;
  return { kind: 'unavailable', detail, retryAfterMs: 0, tooSlow: false };
}

function refusal(status: number, { errorCode, detail, errors }: ProblemDocument, count: number): Answer {
  const events = new Map<number, AnswerError[]>();
  for (const { pointer, detail: reason } of errors) {
    const [, index, rest = ''] = /^\/events\/(\d+)(\/.*)?$/s.exec(pointer) ?? [];
    if (index === undefined || Number(index) >= count) continue;
    const own = events.get(Number(index)) ?? [];
    own.push({ pointer: rest, detail: cut(reason, LONGEST_DETAIL) });
    events.set(Number(index), own);
  }
  if (events.size === 0) return { kind: 'batch_refused', status, errorCode, detail: cut(detail, LONGEST_DETAIL) };
  return { kind: 'events_refused', status, errorCode, events };
}

/** Returns at most `most` UTF-16 code units. Postgres could not store half of a surrogate pair at the end. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

function hint({ status, location }: ReadResponse): string {
  if (status >= 300 && status < 400)
    return `, a redirect to ${location ?? 'nowhere'}: set the url to its final address`;
  if (status === 401 || status === 403) return '. Check the API key';
  return '. Check the url';
}

function problemIn(body: string): ProblemDocument | null {
  const parsed = parsedObject(body);
  if (!parsed || typeof parsed['error_code'] !== 'string') return null;
  const errors = Array.isArray(parsed['errors']) ? (parsed['errors'] as readonly unknown[]) : [];
  return {
    errorCode: cut(parsed['error_code'], 100),
    detail: typeof parsed['detail'] === 'string' ? parsed['detail'] : '',
    errors: errors.flatMap((error) =>
      isObject(error) && typeof error['pointer'] === 'string' && typeof error['detail'] === 'string'
        ? [{ pointer: error['pointer'], detail: error['detail'] }]
        : [],
    ),
  };
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
