import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families } from '../../src/resources/families.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import type { TestResponse } from '../support/api-client.js';
import { document } from '../support/fixtures.js';
import { routeModules, type ModuleSample } from '../support/route-modules.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { startTunnel } from '../support/tunnel.js';

/** An operation of the interface. */
interface Operation {
  readonly method: 'POST' | 'GET' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly status: number;
  readonly list_key?: string;
}

const operations = JSON.parse(
  readFileSync(new URL('./operations.json', import.meta.url), 'utf8'),
) as readonly Operation[];

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
const SOURCE_TYPE = 'ip_policy_created.v0';

let api: TestApi;
let modules: Readonly<Record<string, ModuleSample>>;
beforeAll(async () => {
  api = await startTestApi();
  modules = await routeModules(api.admin);
});
afterAll(() => api.close());

/** The family of a path: the family with the longest matching prefix. */
function familyOf(path: string): ResourceDefinition {
  const normal = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const [family] = all
    .filter((definition) => normal === definition.path || normal.startsWith(`${definition.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length);
  if (!family) throw new Error(`No family has the path ${path}.`);
  return family;
}

/**
 * Creates a resource of a family with its dependencies. Returns the paths of the collection and the resource.
 */
async function make(family: ResourceDefinition): Promise<{ collection: string; path: string }> {
  const sample = samples[family.name];
  if (!sample) throw new Error(`There is no sample of ${family.name}.`);
  const collection = (await sample.collection?.(api.admin)) ?? family.path;
  return { collection, path: (await api.admin.create(collection, await sample.create(api.admin))).path };
}

/** Sends the operation with valid input, on a new resource. */
async function perform({ method, path }: Operation): Promise<TestResponse> {
  if (path.startsWith('/tunnels')) {
    const id = await startTunnel(api);
    return api.admin.get(path.replace('{id}', id));
  }
  const family = familyOf(path);
  const { collection, path: resource } = await make(family);
  const rest = path.replaceAll(/\{(\w+)\}/g, ':$1').slice(family.path.length);
  if (rest.startsWith('/:subscription_id/sources')) return performOnSource(method, path, resource);
  if (rest === '') {
    const body = method === 'POST' ? await samples[family.name]?.create(api.admin) : undefined;
    return api.admin.send(method, collection, body);
  }
  if (rest === '/:id')
    return api.admin.send(method, resource, method === 'PATCH' ? samples[family.name]?.change : undefined);
  const name = rest.replace('/:id/', '');
  const module = `${resource}/${name}`;
  if (method === 'PUT') return api.admin.send('PUT', module, modules[name]?.replace);
  await api.admin.send('PUT', module, modules[name]?.set);
  return api.admin.send(method, module);
}

async function performOnSource(method: string, path: string, subscription: string): Promise<TestResponse> {
  await api.admin.patch(subscription, { sources: [{ type: SOURCE_TYPE }] });
  const sources = `${subscription}/sources`;
  if (path.endsWith('{type}'))
    return api.admin.send(method, `${sources}/${SOURCE_TYPE}`, method === 'PATCH' ? {} : undefined);
  return api.admin.send(method, sources, method === 'POST' ? { type: 'bot_user_created.v0' } : undefined);
}

describe('the interface', () => {
  it('has 92 operations', () => {
    expect(operations).toHaveLength(92);
  });

  it.each(operations)('$method $path is documented with $status', ({ method, path, status }) => {
    expect(Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {})).toContain(String(status));
  });

  it.each(operations)('$method $path returns $status', async (operation) => {
    const response = await perform(operation);
    expect(response.status, response.text).toBe(operation.status);
    if (operation.status === 204) expect(response.text).toBe('');
    if (operation.list_key === undefined) return;
    const isSources = operation.list_key === 'sources';
    const members = [operation.list_key, 'uri', ...(isSources ? [] : ['next_page_uri'])];
    expect(Object.keys(response.body).toSorted()).toEqual(members.toSorted());
    expect(response.body.uri).toMatch(/^http/);
    expect(response.body[operation.list_key]).not.toHaveLength(0);
  });
});
