import { WaybillError, WaybillNetworkError, WaybillResponseError } from './errors.js';
import type { Problem } from './generated/types.js';
import { MOST_RESPONSE_BYTES, readBody } from './read-body.js';

/**
 * Returns the JSON of a response, or the text of a file; undefined without a body, as with the statuses 204 and 304.
 *
 * @param hide removes the API key from text: a proxy may repeat the headers of a request
 * @throws WaybillError for a problem document, WaybillResponseError for anything else that Waybill does not send
 */
export async function readResponse(response: Response, hide: (text: string) => string): Promise<unknown> {
  const { status } = response;
  if (status >= 300 && status < 400 && status !== 304) {
    await response.body?.cancel();
    throw new WaybillResponseError(`The response is a redirect (HTTP ${status}). The API key was not sent on.`, status);
  }
  const retryAfter = retryAfterSeconds(response.headers);
  const text = await readBody(response);
  if (text === null) {
    const message = `The response has more than ${MOST_RESPONSE_BYTES} bytes (HTTP ${status}).`;
    throw new WaybillResponseError(message, status, retryAfter);
  }
  const isSuccess = response.ok || status === 304;
  if (isSuccess && isFile(response.headers)) return text;
  if (isSuccess && text === '') return undefined;
  const body = parsed(isSuccess ? text : hide(text));
  if (isSuccess && body !== NOT_JSON) return body;
  if (isProblem(body)) throw new WaybillError({ ...body, status }, retryAfter);
  const message = `The response is not one of Waybill's API (HTTP ${status}). Check the url.`;
  throw new WaybillResponseError(message, status, retryAfter);
}

/** Returns a list of a response. @throws WaybillResponseError if there is none */
export function membersOf(value: unknown, name: string): readonly unknown[] {
  const members: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (!Array.isArray(members)) throw new WaybillResponseError(`The response has no "${name}".`, 200);
  return members;
}

/** Turns what `fetch` or the body of a response throws into an error of this package. */
export function networkError(error: unknown, hide: (text: string) => string): WaybillNetworkError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = [code, cause instanceof Error ? cause.message : ''].filter(Boolean).join(': ');
  return new WaybillNetworkError(hide(`No complete response arrived${reason && ` (${reason})`}.`), { cause: error });
}

/** Whether the body is one of an export. */
function isFile(headers: Headers): boolean {
  return /^(application\/x-ndjson|text\/csv)\b/.test(headers.get('content-type') ?? '');
}

const NOT_JSON = Symbol('not JSON');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const isText = (name: string): boolean => typeof Reflect.get(value, name) === 'string';
  return isText('error_code') && isText('detail');
}

function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1_000);
}
