import type { ApiMethods, Input, OperationId, Output } from './api-methods.js';
import { createMethods } from './create-methods.js';
import { EventPublisher, type PublisherOptions } from './event-publisher.js';
import { operations } from './generated/operations.js';
import type { Delivery } from './generated/types.js';
import { retryLimit, timeLimit } from './limits.js';
import { requestOf } from './requests.js';
import { createSend, type ApiResponse, type ConditionalOptions, type RequestOptions, type Send } from './transport.js';
import { waitForDelivery, type DeliveryWait } from './wait-for-delivery.js';

/** How the client reaches Waybill. */
export interface WaybillOptions {
  /** Address of the API, for example `https://waybill.example.com`. */
  readonly url: string;
  /** Token of an API key. */
  readonly key: string;
  /** Time limit of each attempt, in milliseconds; default: 30,000. */
  readonly timeoutMs?: number;
  /** Most retries of a request; default: 4. */
  readonly maxRetries?: number;
  /** Sends the requests; default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Path parameters, query, body and options of an operation. Optional if the operation requires none. */
type RequestArguments<Id extends OperationId> =
  Partial<Input<Id>> extends Input<Id> ? [input?: Input<Id> & RequestOptions] : [input: Input<Id> & RequestOptions];

// The constructor assigns what the interface adds.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Waybill extends ApiMethods {}

/** A client of Waybill's API. Each operation is a method of a namespace: `waybill.ipPolicies.create({ … })`. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class Waybill {
  private readonly send: Send;

  /** @throws TypeError for an invalid option */
  constructor({ url, key, timeoutMs = 30_000, maxRetries = 4, fetch: send = fetch }: WaybillOptions) {
    // A message of fetch about an invalid header would contain the key.
    if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
      throw new TypeError('The key must be the token of an API key.');
    this.send = createSend({
      url: baseUrl(url),
      key,
      fetch: send,
      timeoutMs: timeLimit(timeoutMs),
      maxRetries: retryLimit(maxRetries),
    });
    Object.assign(this, createMethods(this.send));
  }

  /**
   * Sends a request by the id of its operation in the OpenAPI document. Returns the whole response, with its headers:
   * `const { data, headers } = await waybill.request('getIpPolicy', { path: { id } })`.
   */
  request<Id extends OperationId>(
    id: Id,
    input: Input<Id> & ConditionalOptions,
  ): Promise<ApiResponse<Output<Id> | undefined>>;
  request<Id extends OperationId>(id: Id, ...input: RequestArguments<Id>): Promise<ApiResponse<Output<Id>>>;
  request(id: OperationId, input: Input<OperationId> & RequestOptions = {}): Promise<ApiResponse> {
    const operation = byId.get(id);
    if (operation === undefined) throw new TypeError(`There is no operation "${id}".`);
    return this.send(requestOf(operation, input), input);
  }

  /**
   * Returns a publisher that sends single events in common requests. Close it before the process ends.
   * @throws TypeError for an invalid option
   */
  publisher(options?: PublisherOptions): EventPublisher {
    return new EventPublisher(this.send, options);
  }

  /**
   * Waits until an event is delivered to each of its destinations, or to one of them.
   *
   * @returns the deliveries
   * @throws WaybillDeliveryError when a delivery failed for good
   * @throws WaybillDeliveryTimeoutError when the time is up
   */
  waitForDelivery(eventId: string, wait: DeliveryWait = {}): Promise<readonly Delivery[]> {
    return waitForDelivery(this, eventId, wait);
  }
}

const byId = new Map(
  Object.values(operations).flatMap((table) => Object.values(table).map((operation) => [operation.id, operation])),
);

/** Checks the address, and removes a slash at its end. The address may have a path, but no credentials. */
function baseUrl(url: string): string {
  const { protocol, username, password, search, hash, href } = parsedUrl(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('The url must begin with http: or https:.');
  if (username + password + search + hash !== '')
    throw new TypeError('The url must have no credentials, no query and no fragment.');
  return href.replace(/\/+$/, '');
}

function parsedUrl(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new TypeError('The url is not a URL.');
}
