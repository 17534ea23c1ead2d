import { Waybill, type ApiMethods, type OperationId, type WaybillError } from '@waybill/client';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { operations as table } from '../../packages/client/src/generated/operations.js';
import { fillPath } from '../../tools/attack/requests/operations.js';
import { createFixtures, operations, type Fixtures } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
  // No worker runs. The test of a destination waits for an outcome, unless its lane waits itself.
  await api.store.pool.query('update delivery_lanes set paused_at = now()');
});
afterAll(() => api.close());

type Method = (...values: readonly unknown[]) => unknown;
type Methods = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** An operation of the document, and the method of the client that calls it. */
const methods = Object.entries(table).flatMap(([namespace, names]) =>
  Object.entries(names).map(([name, { id, method, path }]) => ({ namespace, name, id: id as string, method, path })),
);

/** Reads a list to its first item, and waits for anything else. */
async function outcomeOf(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  for await (const item of result as AsyncIterable<unknown>) return item;
  return undefined;
}

describe('the client', () => {
  it('has one method for each operation of the document, without the files of logs', () => {
    const documented = operations
      .filter(({ path }) => !/waybill-log-keys$|\/log\/|\/log_links$|\/proof$/.test(path))
      .map(({ method, path }) => `${method} ${path}`);
    expect(methods.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(documented.toSorted());
    expect(new Set(methods.map(({ id }) => id)).size).toBe(documented.length);
    for (const { namespace, name } of methods) expect(`${namespace}.${name}`).toMatch(/^[a-z]\w*\.[a-z]\w*$/);
  });

  it('has types for each of them', () => {
    type Table = typeof table;
    type Ids = { [Namespace in keyof Table]: Table[Namespace][keyof Table[Namespace]] }[keyof Table];
    expectTypeOf<Ids extends { id: infer Id } ? Id : never>().toEqualTypeOf<OperationId>();
    type Each = { [Namespace in keyof ApiMethods]: ApiMethods[Namespace][keyof ApiMethods[Namespace]] }[keyof Table];
    expectTypeOf<Each>().toExtend<(...args: never) => AsyncIterable<object> | Promise<object | string | void>>();
    expectTypeOf<ReturnType<ApiMethods['ipPolicies']['delete']>>().toEqualTypeOf<Promise<void>>();
    expectTypeOf<Parameters<ApiMethods['httpsEdgeRoutes']['get']>['1']>().toEqualTypeOf<string>();
    expectTypeOf<Parameters<ApiMethods['botUsers']['create']>[0]>().toExtend<{ name: string }>();
    expectTypeOf<Awaited<ReturnType<ApiMethods['ipPolicies']['get']>>['id']>().toEqualTypeOf<string>();
  });

  // Updates and deletions come last, because other operations need their resources; those of parts before their wholes.
  const rank = ({ method, path }: (typeof methods)[number]) =>
    ['PATCH', 'DELETE'].includes(method) ? 100 - 2 * path.split('/').length + Number(method === 'DELETE') : 0;
  const inOrder = methods.toSorted((a, b) => rank(a) - rank(b));

  it.each(inOrder)('calls $id as $namespace $name', async ({ namespace, name, method, path }) => {
    const sent: { request: string; status: number }[] = [];
    const waybill = new Waybill({
      url: api.baseUrl,
      key: api.admin.token ?? '',
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        const { method: sentMethod, url } = new Request(address, init);
        sent.push({ request: `${sentMethod} ${new URL(url).pathname}`, status: response.status });
        return response;
      },
    });
    const operation = operations.find((one) => one.method === method && one.path === path);
    const parameters = fixtures.parametersOf(path);
    const body = operation && fixtures.bodyOf(operation);
    const values = name === 'publish' ? [body?.events] : [...parameters, ...(body === undefined ? [] : [body])];
    const call = (waybill as unknown as Methods)[namespace]?.[name];
    const failure = await outcomeOf(call?.(...values)).then(
      () => null,
      (error: unknown) => error as WaybillError,
    );
    expect(sent[0]?.request).toBe(`${method} ${fillPath(path, parameters.map(encodeURIComponent))}`);
    // A conflict of the fixtures with each other: a name is taken, or a resource is still referenced.
    if (failure === null) expect(sent[0]?.status).toBeLessThan(300);
    else expect([failure.status, method], failure.message).toEqual([409, method === 'POST' ? 'POST' : 'DELETE']);
  });
});
