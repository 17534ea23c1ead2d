import type { IncomingHttpHeaders } from 'node:http';
import type { TargetKind } from '../../src/targets/target.js';

/** What the sandbox speaks for: the five targets and their two token services. */
export type ServiceName = TargetKind | 'sts' | 'entra';

/** A request with its body, read to the end. */
export interface Exchange {
  readonly method: string;
  /** Path as sent, percent-encoding kept. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Scheme and host under which the client reached the sandbox. */
  readonly origin: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers that every vendor has words of its own for. `failure` is its passing internal error. */
export type Refusal = 'throttle' | 'deny' | 'not_found' | 'too_large' | 'malformed' | 'expired' | 'failure';

/** A request that was recognised as a call to one of the services, before it has had any effect. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  /** See ReceivedEvent.address; the role's ARN for `sts`, the tenant for `entra`. Empty where the request names none. */
  readonly address: string;
  /** Whether the service can fail single records of this call. */
  readonly partial: boolean;
  /** Whether one of the events that the call carries has `text` in it. Left out: it carries none. */
  readonly carries?: (text: string) => boolean;
  /**
   * Checks the call as the vendor would, stores what it carries and answers. `fails` is asked once for each record, in order,
   * when `partial` is true: a record for which it says yes is not stored.
   */
  perform(fails: () => boolean): Answer;
  /** The vendor's own answer of that kind. Has no effect. */
  refuse(refusal: Refusal, retryAfterSeconds?: number): Answer;
}

/** Recognises the requests of one service; undefined for those of others. */
export type Protocol = (exchange: Exchange) => Call | undefined | Promise<Call | undefined>;

/** An answer with a JSON body. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** The Retry-After header of a throttling answer, where a fault asks for one. */
export function retryAfter(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** The first value of a header, or undefined. */
export function header(exchange: Exchange, name: string): string | undefined {
  const value = exchange.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Whether `value` is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The `default` of a switch that has a case for every kind: does not compile when one is missing. */
export function unreachable(kind: never): never {
  throw new Error(`There is no case for ${String(kind)}`);
}
