import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families } from '../../src/resources/families.js';
import { httpsEdgeRoute } from '../../src/resources/families/https-edge-routes/https-edge-route.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import { fillPath, type Operation } from '../../tools/attack/requests/operations.js';
import type { JsonObject, TestClient } from '../support/api-client.js';
import { createFixtures, operations, type Fixtures } from '../support/fixtures.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
/** The admin of another account. */
let stranger: TestClient;
/** The user that owns the admin's API key. */
let userId: string;
let asItWas: readonly string[];
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
  stranger = await api.addAccount();
  const { keys } = (await api.admin.get('/api_keys')).body as { keys: { owner_id: string }[] };
  userId = keys.at(-1)?.owner_id ?? '';
  asItWas = await everything();
});
afterAll(() => api.close());

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);

/** What shows nothing of an account: the catalogue of event types, the caller itself, and the process. */
const ofNoAccount = ['/livez', '/readyz', '/service', '/session', '/session_codes'];
/** Operations on resources of an account. */
const named = operations
  .filter(({ path }) => !path.startsWith('/event_types') && !ofNoAccount.includes(path))
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
const withIds = named.filter(([, { path }]) => path.includes('{'));
const replacing = withIds.filter(([, { method }]) => method === 'PUT' || method === 'PATCH');
const posting = withIds.filter(([, { method, body }]) => method === 'POST' && body !== undefined);
const lists = named.filter(([, { method, path }]) => method === 'GET' && !path.includes('{'));
const withinEdges = withIds.filter(([, { path }]) => path.startsWith('/edges/https/{edge_id}/routes/{id}'));

/** Every response that the owner can read. */
async function everything(): Promise<readonly string[]> {
  const paths = named.filter(([, { method }]) => method === 'GET').map(([, { path }]) => path);
  const responses = paths.map(async (path) => {
    const { status, text } = await api.admin.get(fillPath(path, fixtures.parametersOf(path)));
    expect(status, `GET ${path}`).toBe(200);
    return text;
  });
  return Promise.all(responses);
}

/** The fields of each family that refer to other resources. */
const pointing = all
  .filter(({ name }) => samples[name] !== undefined)
  .flatMap((family) => {
    const fields = (family.links ?? []).map((link) => ({
      family,
      link,
      member: link.field.split('.')[0] ?? '',
    }));
    return fields
      .filter(({ member }) => member in family.create.shape || member in family.update.shape)
      .map((field) => [`${family.name}.${field.link.field}`, field] as const);
  });

/** Whether the field holds a list of ids. */
function isList(field: string): boolean {
  return field === 'backends' || field.endsWith('_ids');
}

/** A body with this field only. */
function bodyWith(field: string, value: unknown): JsonObject {
  const [name = '', ...rest] = field.split('.');
  return { [name]: rest.length === 0 ? value : bodyWith(rest.join('.'), value) };
}

/** Creates a resource of the family in the stranger's account. */
async function makeTheirOwn(family: ResourceDefinition) {
  const sample = samples[family.name];
  const collection = (await sample?.collection?.(stranger)) ?? family.path;
  const body = await sample?.create(stranger);
  return { collection, body, ...(await stranger.create(collection, body)) };
}

describe('with the key of another account', () => {
  it.each(withIds)('%s returns 404', async (_, operation) => {
    const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
    const response = await stranger.send(operation.method, path, fixtures.bodyOf(operation));
    expect([response.status, response.body.error_code], response.text).toEqual([404, 'not_found']);
  });

  /** The path of an operation with the ids of the account, and with ids that do not exist. */
  function ownAndMissing({ path }: Operation): readonly [own: string, missing: string] {
    const parameters = fixtures.parametersOf(path);
    const missing = parameters.map((id) => id.replace(/_.*/, '_0000000000000000000000000a'));
    return [fillPath(path, parameters), fillPath(path, missing)];
  }
  const wrong = { no_such_member: 1 };

  it.each(replacing)('%s returns 404 before it says what is wrong with the body', async (_, operation) => {
    const [own, missing] = ownAndMissing(operation);
    for (const path of [own, missing]) {
      const response = await stranger.send(operation.method, path, wrong);
      expect([response.status, response.body.error_code], response.text).toEqual([404, 'not_found']);
    }
    expect((await api.admin.send(operation.method, own, wrong)).status).toBe(400);
  });

  it.each(posting)('%s with a wrong body returns what it returns for ids that do not exist', async (_, operation) => {
    const [own, missing] = ownAndMissing(operation);
    const [foreign, absent] = [await stranger.post(own, wrong), await stranger.post(missing, wrong)];
    expect(foreign.status, foreign.text).toBeGreaterThanOrEqual(400);
    expect([foreign.status, foreign.body.error_code]).toEqual([absent.status, absent.body.error_code]);
  });

  it.each(withinEdges)('%s returns 404 for another account’s edge or route', async (_, operation) => {
    const [edge = '', route = ''] = fixtures.parametersOf(operation.path);
    const own = await makeTheirOwn(httpsEdgeRoute);
    const ownEdge = own.collection.split('/')[3] ?? '';
    for (const parameters of [
      [ownEdge, route],
      [edge, own.id],
    ]) {
      const path = fillPath(operation.path, parameters);
      const response = await stranger.send(operation.method, path, fixtures.bodyOf(operation));
      expect([response.status, response.body.error_code], response.text).toEqual([404, 'not_found']);
    }
  });

  it.each(lists)('%s returns none of its resources, whatever the cursor', async (_, { path }) => {
    expect((await stranger.get(path)).status).toBe(200);
    const { text: shownToOwner } = await api.admin.get(path);
    const isOfList = (id: string) => shownToOwner.includes(`"${id.replace(/_.*/, '_')}`);
    // All others have a wrong prefix.
    const other = fixtures.ids.find((id) => !isOfList(id));
    for (const cursor of [...fixtures.ids.filter(isOfList), other]) {
      const { body, status } = await stranger.get(`${path}?before_id=${cursor}`);
      expect([200, 400]).toContain(status);
      const shown = JSON.stringify(status === 200 ? body : {});
      expect(fixtures.ids.filter((id) => shown.includes(id))).toEqual([]);
    }
  });

  it.each(pointing)('%s cannot refer to its resources', async (_, { family, link, member }) => {
    const { collection, body, path } = await makeTheirOwn(family);
    const before = await stranger.get(path);
    const prefixes = link.to.map(({ prefix }) => `${prefix}_`);
    const targets = [...fixtures.ids, userId].filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
    expect(targets).not.toEqual([]);
    for (const target of targets) {
      const given = bodyWith(link.field, isList(link.field) ? [target] : target);
      const responses = [
        ...(member in family.create.shape ? [await stranger.post(collection, { ...body, ...given })] : []),
        ...(member in family.update.shape ? [await stranger.patch(path, given)] : []),
      ];
      for (const response of responses) {
        expect(response.status, response.text).toBe(400);
        expect(response.body.errors).toMatchObject([
          { pointer: expect.stringContaining(`/${link.field.replaceAll('.', '/')}`) as string },
        ]);
      }
    }
    expect((await stranger.get(path)).body).toEqual(before.body);
  });

  it('no resource has changed', async () => {
    expect(await everything()).toEqual(asItWas);
  });
});
