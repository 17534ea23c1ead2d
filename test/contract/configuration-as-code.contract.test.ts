import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families } from '../../src/resources/families.js';
import type { Attributes, ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import { valueAt } from '../../src/resources/framework/definition/paths.js';
import type { JsonObject } from '../support/api-client.js';
import { routeModules } from '../support/route-modules.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
const ofClients = all.filter(({ operations }) => operations === undefined);

function idsOf(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map((one: { id: string }) => one.id);
  return typeof shown === 'object' && shown !== null && 'id' in shown ? shown.id : null;
}

/**
 * Converts a GET response to a body: the members of the schema, with Refs as ids. A configuration-as-code tool does the
 * same.
 */
function asInput(definition: ResourceDefinition, read: JsonObject, schema: ResourceDefinition['update']): Attributes {
  const members = Object.keys(schema.shape).map((name): [string, unknown] => [
    name,
    asInputMember(definition, read, name),
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function asInputMember(definition: ResourceDefinition, read: JsonObject, name: string): unknown {
  const links = definition.links ?? [];
  const own = links.find(({ field }) => field === name);
  if (own?.as !== undefined) return idsOf(valueAt(read, own.as));
  const module = definition.modules?.find((one) => one.name === name);
  const shown = read[name];
  if (!module || typeof shown !== 'object' || shown === null) return shown;
  const inputs = Object.keys(module.input.shape).map((member): [string, unknown] => {
    const link = module.links?.find(({ field }) => field === member);
    return [
      member,
      link?.as === undefined ? valueAt(read, `${name}.${member}`) : idsOf(valueAt(read, `${name}.${link.as}`)),
    ];
  });
  return Object.fromEntries(inputs);
}

describe.each(ofClients)('$name', (definition) => {
  const sample = samples[definition.name];
  if (!sample) throw new Error(`There is no sample of ${definition.name}.`);
  const collectionOf = async () => (await sample.collection?.(api.admin)) ?? definition.path;

  it('accepts the GET response as an update that changes nothing', async () => {
    const collection = await collectionOf();
    const { path } = await api.admin.create(collection, await sample.create(api.admin));
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.includes('\0'))),
        fc.option(fc.json({ maxDepth: 3 }).filter((text) => text.length < 1_000)),
        async (description, metadata) => {
          const fields = Object.keys(definition.update.shape);
          const change = {
            ...(fields.includes('description') && { description }),
            ...(fields.includes('metadata') && { metadata }),
          };
          expect((await api.admin.patch(path, change)).status).toBe(200);
          const read = await api.admin.get(path);
          const response = await api.admin.patch(path, asInput(definition, read.body, definition.update));
          expect(response.status, response.text).toBe(200);
          expect(response.body).toEqual(read.body);
          expect(response.headers.get('etag')).toBe(read.headers.get('etag'));
        },
      ),
      { numRuns: 8 },
    );
  });

  it('accepts the GET response as a create after deletion, when the secrets are added', async () => {
    const collection = await collectionOf();
    const body = await sample.create(api.admin);
    const first = await api.admin.create(collection, body);
    const { body: read } = await api.admin.get(first.path);
    expect((await api.admin.delete(first.path)).status).toBe(204);
    const withoutSecrets = asInput(definition, read, definition.create);
    const again = await api.admin.post(collection, { ...withoutSecrets, ...secretsOf(body) });
    expect(again.status, again.text).toBe(201);
    const comparable = ({
      id: _id,
      uri: _uri,
      created_at: _at,
      updated_at: _updated,
      token: _token,
      ...rest
    }: JsonObject) => rest;
    const own = new RegExp(first.id, 'g');
    expect(JSON.parse(JSON.stringify(comparable(again.body)).replaceAll(String(again.body.id), 'self'))).toMatchObject(
      assigned(definition, JSON.parse(JSON.stringify(comparable(read)).replaceAll(own, 'self')) as JsonObject),
    );
  });

  /** Members of a create that hold secrets, which a response never contains. */
  function secretsOf(body: Record<string, unknown>): Record<string, unknown> {
    const names = new Set((definition.secrets ?? []).map(({ path }) => path.split('.')[0]));
    return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)));
  }
});

/** Removes what the service assigns again: an address, an external id, the state of a certificate. */
function assigned(definition: ResourceDefinition, shown: JsonObject): JsonObject {
  const inputs = Object.keys(definition.create.shape);
  return Object.fromEntries(Object.entries(shown).filter(([name]) => inputs.includes(name)));
}

describe('an HTTPS edge route with all its modules', () => {
  it('accepts the GET response as an update that changes nothing', async () => {
    const definition = all.find(({ name }) => name === 'https_edge_route');
    if (!definition) throw new Error('There is no family of routes.');
    const modules = await routeModules(api.admin);
    const edge = await api.admin.create('/edges/https', {});
    const set = Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, module.set]));
    const { path } = await api.admin.create(`${edge.path}/routes`, {
      match_type: 'exact_path',
      match: '/all',
      ...set,
    });
    const read = await api.admin.get(path);
    const response = await api.admin.patch(path, asInput(definition, read.body, definition.update));
    expect(response.status, response.text).toBe(200);
    expect(response.body).toEqual(read.body);
    expect(response.headers.get('etag')).toBe('"v1"');
  });
});
