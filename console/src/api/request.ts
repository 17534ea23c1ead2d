import type { Input, OperationAt, Output, PathsOf } from '@waybill/client';
import { ConnectionError, errorOf } from './problem.js';

/** Version of the API that the types describe. */
export const SERVICE_VERSION = '2';

/** Options of every request. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  /** ETag of the version to change. If the resource has a newer version, the error has the status 412. */
  readonly ifMatch?: string;
  /** Key of a POST; default: a new one. A POST that is repeated with the same key is carried out once. */
  readonly idempotencyKey?: string;
}

/** Path parameters, query and body of a request, without their types. */
interface UntypedInput {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** What an operation takes; nothing has to be given where nothing is required. */
type Arguments<Data> = object extends Data ? [input?: Data & SendOptions] : [input: Data & SendOptions];

/**
 * Sends a request of the API with the session's cookie. Method and path select the operation, and so the types of
 * input and output: `request('GET', '/event_destinations/{id}', { path: { id } })`.
 * @throws ProblemError for a problem document, ConnectionError when no response of the API arrives
 */
export function request<Method extends string, Path extends PathsOf<Method>>(
  method: Method,
  path: Path,
  ...args: Arguments<Input<OperationAt<Method, Path>>>
): Promise<Output<OperationAt<Method, Path>>> {
  // What the service sends is what its OpenAPI document says.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return send(method, path, args[0]) as Promise<Output<OperationAt<Method, Path>>>;
}

/**
 * Sends a request that has no types.
 * @returns the parsed body; undefined without one
 * @throws like `request`
 */
export async function send(method: string, path: string, input: UntypedInput & SendOptions = {}): Promise<unknown> {
  const response = await open(method, path, input);
  const text = await response.text().catch((error: unknown) => {
    throw connectionError(error, input.signal);
  });
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ConnectionError('The response is not JSON.', { cause: error });
  }
}

/**
 * Sends a request and returns its response before the body has arrived.
 * @param accept content type of the body
 * @throws like `request`
 */
export async function open(
  method: string,
  path: string,
  { path: parameters, query, body, signal, ifMatch, idempotencyKey }: UntypedInput & SendOptions = {},
  accept = 'application/json',
): Promise<Response> {
  let response: Response;
  let refusal: string;
  try {
    response = await fetch(addressOf(path, parameters, query), {
      method,
      headers: {
        accept,
        'service-version': SERVICE_VERSION,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': idempotencyKey ?? randomKey() }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      credentials: 'same-origin',
      redirect: 'error',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (response.ok) return response;
    refusal = await response.text();
  } catch (error) {
    throw connectionError(error, signal);
  }
  throw errorOf(response, refusal);
}

/** Returns the path of a request with its parameters and its query. Undefined values are left out. */
export function addressOf(
  path: string,
  parameters: UntypedInput['path'] = {},
  query: UntypedInput['query'] = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(parameters[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const text of textsOf(value)) search.append(name, text);
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

/** Returns the texts of a parameter: of a list, one for each item. Only texts, numbers and booleans have one. */
function textsOf(value: unknown): readonly string[] {
  return [value]
    .flat()
    .flatMap((one) =>
      typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [`${one}`] : [],
    );
}

/** Returns the reason of an aborted request as it is, and anything else as a ConnectionError. */
function connectionError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return error;
  return new ConnectionError('Waybill cannot be reached. Check your connection, and whether the service runs.', {
    cause: error,
  });
}

/** Returns a new idempotency key. `crypto.randomUUID` exists over HTTPS and on localhost only. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
