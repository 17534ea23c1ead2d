import type { Operation } from './api-methods.js';
import type { ApiRequest } from './transport.js';

/** Input of an operation, without its types. */
export interface RequestInput {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Returns the request of an operation.
 * @throws TypeError for a path parameter that is no text, or that would change the path
 */
export function requestOf({ method, path }: Operation, input: RequestInput): ApiRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => pathSegment(name, input.path?.[name]));
  return { method, target: `${filled}${queryText(input.query)}`, body: input.body };
}

/** Returns the names of the parameters of a path, in order. */
export function parameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function pathSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`The path parameter "${name}" must be a text.`);
  // A URL with such a segment is an address of another operation.
  if (value === '.' || value === '..') throw new TypeError(`The path parameter "${name}" must not be "${value}".`);
  return encodeURIComponent(value);
}

function queryText(query: RequestInput['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (isSimple(one)) parameters.append(name, String(one));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

function isSimple(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
