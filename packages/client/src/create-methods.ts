import type { ApiMethods, Operation } from './api-methods.js';
import { operations } from './generated/operations.js';
import { List } from './list.js';
import { membersOf } from './read-response.js';
import { parameterNames, requestOf, type RequestInput } from './requests.js';
import type { RequestOptions, Send } from './transport.js';

/** Makes a method of every operation in the table. */
export function createMethods(send: Send): ApiMethods {
  const namespaces = Object.entries(operations).map(([namespace, table]) => {
    const methods = Object.entries(table).map(([name, operation]) => [name, createMethod(operation, send)]);
    return [namespace, Object.fromEntries(methods)];
  });
  return Object.fromEntries(namespaces);
}

type Method = (...values: readonly unknown[]) => unknown;

function createMethod(operation: Operation, send: Send): Method {
  const names = parameterNames(operation.path);
  const call = (...values: readonly unknown[]): unknown => {
    const path = Object.fromEntries(names.map((name, at) => [name, values[at]]));
    const takes = operation.takes === undefined ? {} : { [operation.takes]: values[names.length] };
    const options = optionsIn(values[names.length + (operation.takes === undefined ? 0 : 1)]);
    const input: RequestInput = { path, ...takes };
    return operation.items === undefined
      ? readData(operation, input, options, send)
      : listOf(operation, operation.items, input, options, send);
  };
  return operation.id === 'publishEvents' ? (events, options) => resultsOf(call({ events }, options)) : call;
}

async function readData(operation: Operation, input: RequestInput, options: RequestOptions, send: Send) {
  return (await send(requestOf(operation, input), options)).data;
}

function listOf(operation: Operation, items: string, input: RequestInput, options: RequestOptions, send: Send) {
  const first = requestOf(operation, input);
  const [path = ''] = first.target.split('?');
  return new List<unknown, unknown>(
    async (query) => (await send(query === undefined ? first : { ...first, target: `${path}${query}` }, options)).data,
    (page) => membersOf(page, items),
  );
}

async function resultsOf(response: unknown): Promise<readonly unknown[]> {
  return membersOf(await response, 'events');
}

function optionsIn(value: unknown): RequestOptions {
  return typeof value === 'object' && value !== null ? value : {};
}
