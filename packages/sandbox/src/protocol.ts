import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceName } from './sandbox-contract.js';

/** A request with its complete body. */
export interface HttpRequest {
  readonly method: string;
  /** Path with its percent-encoding. */
  readonly path: string;
  /** Query without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Scheme and host that the client used. */
  readonly origin: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Errors that every vendor reports in its own format. `failure` is a transient internal error. */
type ErrorKind = 'throttle' | 'deny' | 'not_found' | 'too_large' | 'malformed' | 'expired' | 'failure';

/** A vendor's response to each kind of error. Some vendors have a Retry-After. */
export type ErrorResponses = Readonly<Record<ErrorKind, (retryAfterSeconds?: number) => HttpResponse>>;

/** A request to one of the services, before any effect. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  /** See ReceivedEvent.address; the role's ARN for `sts`, the tenant for `entra`. Empty if the request has none. */
  readonly address: string;
  /** True if the service can fail single records of this call. */
  readonly partial: boolean;
  /** Checks whether an event of the call contains a text. Left out: the call has no events. */
  readonly carries?: (text: string) => boolean;
  /**
   * Checks the call as the vendor does, stores its events, and responds. If `partial` is true, `fails` is called for
   * each record in order, and a record for which it returns true is not stored.
   */
  perform(fails: () => boolean): HttpResponse;
  /** The vendor's response to each kind of error. Making one stores nothing. */
  readonly errors: ErrorResponses;
}

/** Returns the call for a request to this service; undefined for another service. */
export type Protocol = (request: HttpRequest) => Call | undefined | Promise<Call | undefined>;

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** Returns a Retry-After header if a fault asks for one. */
export function retryAfter(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** Returns the first value of a header, or undefined. */
export function header(request: HttpRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Checks whether `value` is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
