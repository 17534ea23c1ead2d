import { WaybillError, WaybillResponseError, WaybillTimeoutError } from './errors.js';
import { retryLimit, timeLimit } from './limits.js';
import { networkError, readResponse } from './read-response.js';
import { retryDelay, sleep } from './retry.js';

/** Version of the API that the types describe. */
const SERVICE_VERSION = '2';

/** How one request is sent. */
export interface RequestOptions {
  /** Aborts the request and its retries. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time limit of each attempt, in milliseconds; default: that of the client. */
  readonly timeoutMs?: number;
  /** Most retries; default: that of the client. */
  readonly maxRetries?: number;
  /** Key of a POST, by which Waybill recognizes a repetition within 24 hours; default: a new random one. */
  readonly idempotencyKey?: string;
  /** ETag of the version to change, for a PATCH. If the resource has a newer version, the error has the status 412. */
  readonly ifMatch?: string;
}

/** Options of a read. */
export interface ConditionalOptions extends RequestOptions {
  /** ETag of the version that the caller has. If it is still current, the response is a 304 without data. */
  readonly ifNoneMatch: string;
}

/** A request of the API. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, below the address of the API. */
  readonly target: string;
  /** JSON as text, or what becomes JSON. */
  readonly body?: unknown;
}

/** A successful response of the API. */
export interface ApiResponse<Data = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined without one. */
  readonly data: Data;
}

/** Sends a request, with retries. */
export type Send = (request: ApiRequest, options?: SendOptions) => Promise<ApiResponse>;

type SendOptions = RequestOptions & Partial<ConditionalOptions>;

/** What every request has in common. */
export interface TransportOptions {
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/** Returns the function that sends every request. Only its closure has the key: no log of the client shows it. */
export function createSend({ url, key, fetch: fetchOnce, timeoutMs, maxRetries }: TransportOptions): Send {
  const hide = (text: string): string => text.replaceAll(key, '[API key]');

  async function attempt(target: string, init: RequestInit, options: RequestOptions): Promise<ApiResponse> {
    const limit = timeLimit(options.timeoutMs ?? timeoutMs);
    const control = new AbortController();
    const stop = (): void => control.abort();
    const timer = setTimeout(stop, limit);
    options.signal?.addEventListener('abort', stop, { once: true });
    try {
      const response = await fetchOnce(`${url}${target}`, { ...init, signal: control.signal });
      const data = await readResponse(response, hide);
      return { status: response.status, headers: response.headers, data };
    } catch (error) {
      if (error instanceof WaybillError || error instanceof WaybillResponseError) throw error;
      options.signal?.throwIfAborted();
      if (control.signal.aborted) throw new WaybillTimeoutError(`No complete response arrived within ${limit} ms.`);
      throw networkError(error, hide);
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
    }
  }

  return async ({ method, target, body }, options = {}) => {
    const init = {
      method,
      // Throws here, and not in each attempt, for an invalid header.
      headers: new Headers(headersOf(key, method, body, options)),
      // A redirect would carry the key to another address.
      redirect: 'manual',
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    } as const;
    // A repetition of a conditional change that was made would fail, although the change was made.
    const repeatable = options.ifMatch === undefined;
    const mostRetries = retryLimit(options.maxRetries ?? maxRetries);
    let maybeDone = false;
    for (let attempts = 1; ; attempts += 1) {
      options.signal?.throwIfAborted();
      try {
        return await attempt(target, init, options);
      } catch (error) {
        if (method === 'DELETE' && maybeDone && isMissing(error)) return DELETED;
        const delay = attempts > mostRetries ? null : retryDelay(error, repeatable, attempts);
        if (delay === null) throw error;
        maybeDone ||= !(error instanceof WaybillError && error.status === 429);
        await sleep(delay, options.signal);
      }
    }
  };
}

/** What a deletion returns whose first attempt was carried out without a response. */
const DELETED: ApiResponse = { status: 204, headers: new Headers(), data: undefined };

function isMissing(error: unknown): boolean {
  return error instanceof WaybillError && error.errorCode === 'not_found';
}

function headersOf(key: string, method: string, body: unknown, options: SendOptions): Record<string, string> {
  const { idempotencyKey = crypto.randomUUID(), ifMatch, ifNoneMatch } = options;
  return {
    authorization: `Bearer ${key}`,
    'service-version': SERVICE_VERSION,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
  };
}
