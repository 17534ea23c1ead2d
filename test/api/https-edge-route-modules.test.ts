import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpsEdgeRoute } from '../../src/resources/families/https-edge-routes/https-edge-route.js';
import type { Created, JsonObject } from '../support/api-client.js';
import { routeModules, type ModuleSample } from '../support/route-modules.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const names = (httpsEdgeRoute.modules ?? []).map(({ name }) => name);

let api: TestApi;
let edge: Created;
let samples: Readonly<Record<string, ModuleSample>>;
beforeAll(async () => {
  api = await startTestApi();
  samples = await routeModules(api.admin);
  edge = await api.admin.create('/edges/https', {});
});
afterAll(() => api.close());

let made = 0;
const makeRoute = (members: JsonObject = {}): Promise<Created> => {
  made += 1;
  return api.admin.create(`${edge.path}/routes`, {
    match_type: 'path_prefix',
    match: `/${made}`,
    ...members,
  });
};
const events = async (id: string) => {
  const list = await api.admin.get('/events?type=https_edge_route_updated.v0&limit=10');
  const payloads = (list.body.events as { payload: JsonObject & { object: JsonObject } }[]).map(
    ({ payload }) => payload,
  );
  return payloads.filter(({ object }) => object.id === id);
};

it('a route has the thirteen modules of the interface', () => {
  expect(names.toSorted()).toEqual(Object.keys(samples).toSorted());
  expect(names).toHaveLength(13);
});

it('saml is unchanged when its response is sent back', async () => {
  const { path, id } = await makeRoute({ saml: samples.saml?.set });
  const module = `${path}/saml`;
  const { body } = await api.admin.get(module);
  expect(await api.admin.send('PUT', module, body)).toMatchObject({ status: 200, body });
  expect(await events(id)).toEqual([]);
  const forged = { ...body, entity_id: 'https://other.example.com', request_signing_certificate_pem: 'none' };
  expect((await api.admin.send('PUT', module, { ...forged, force_authn: false })).body).toEqual({
    ...body,
    force_authn: false,
  });
});

describe.each(names)('%s', (name) => {
  const sample = (): ModuleSample => {
    const found = samples[name];
    if (!found) throw new Error(`There is no sample of ${name}.`);
    return found;
  };

  it('is set, read, replaced and removed by its own operations, and each change is an event', async () => {
    const { path, id } = await makeRoute();
    const module = `${path}/${name}`;
    expect((await api.admin.get(module)).status).toBe(404);
    expect((await api.admin.delete(module)).status).toBe(404);

    const set = await api.admin.send('PUT', module, sample().set);
    expect([set.status, set.headers.get('etag')]).toEqual([200, '"v2"']);
    expect(set.body.enabled).toBe(false);
    expect((await api.admin.get(module)).body).toEqual(set.body);
    expect((await api.admin.get(path)).body[name]).toEqual(set.body);

    const replaced = await api.admin.send('PUT', module, sample().replace);
    expect(replaced.status).toBe(200);
    expect(replaced.body).toMatchObject(sample().shown);
    expect(Object.keys(replaced.body)).toEqual(Object.keys(set.body));
    expect((await api.admin.get(module)).body).toEqual(replaced.body);

    const removed = await api.admin.delete(module);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await api.admin.get(module)).status).toBe(404);
    expect((await api.admin.get(path)).body[name]).toBeNull();

    expect((await events(id)).map(({ changes }) => changes)).toEqual([
      { before: { [name]: replaced.body }, after: { [name]: null } },
      { before: { [name]: set.body }, after: { [name]: replaced.body } },
      { before: { [name]: null }, after: { [name]: set.body } },
    ]);
  });

  it('is a member of create and update: null keeps it, an object replaces it', async () => {
    const { path, ...created } = await makeRoute({ [name]: sample().set });
    expect((created as JsonObject)[name]).toEqual((await api.admin.get(`${path}/${name}`)).body);
    const unchanged = await api.admin.patch(path, { [name]: null, description: 'd' });
    expect([unchanged.status, unchanged.body[name]]).toEqual([200, (created as JsonObject)[name]]);
    const replaced = await api.admin.patch(path, { [name]: sample().replace });
    expect(replaced.status).toBe(200);
    expect(replaced.body[name]).toMatchObject(sample().shown);
    expect(replaced.body.description).toBe('d');
    expect((await makeRoute({ [name]: null }))[name as keyof Created]).toBeNull();
  });

  it('emits nothing when a replacement changes nothing, and refuses one that contradicts the path', async () => {
    const { path, id } = await makeRoute({ [name]: sample().set });
    const replace = (repeated: JsonObject) =>
      api.admin.send('PUT', `${path}/${name}`, { ...sample().set, ...repeated });
    for (const again of [await replace({}), await replace({ edge_id: edge.id, id })])
      expect([again.status, again.headers.get('etag')]).toEqual([200, '"v1"']);
    expect((await replace({ id: edge.id })).body).toMatchObject({ status: 400, errors: [{ pointer: '/id' }] });
  });

  it('refuses unknown members, and values of enabled that are not boolean', async () => {
    const { path } = await makeRoute();
    const unknown = await api.admin.send('PUT', `${path}/${name}`, { ...sample().set, colour: 'red' });
    expect([unknown.status, unknown.body.errors]).toEqual([400, [{ pointer: '/colour', detail: 'is unknown' }]]);
    const wrong = await api.admin.patch(path, { [name]: { ...sample().set, enabled: 'yes' } });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ pointer: `/${name}/enabled` }]]);
    expect((await api.admin.get(`${path}/${name}`)).status).toBe(404);
  });

  it('is not found under another edge or by another account', async () => {
    const { path, id } = await makeRoute({ [name]: sample().set });
    const other = await api.admin.create('/edges/https', {});
    const stranger = await api.addAccount();
    for (const response of [
      await api.admin.get(`${other.path}/routes/${id}/${name}`),
      await api.admin.send('PUT', `${other.path}/routes/${id}/${name}`, sample().replace),
      await api.admin.delete(`${other.path}/routes/${id}/${name}`),
      await stranger.get(`${path}/${name}`),
      await stranger.send('PUT', `${path}/${name}`, sample().replace),
      await stranger.delete(`${path}/${name}`),
    ]) {
      expect([response.status, response.body.error_code]).toEqual([404, 'not_found']);
    }
  });

  it('refuses replacement and removal whose If-Match names another version', async () => {
    const { path } = await makeRoute({ [name]: sample().set });
    const module = `${path}/${name}`;
    const stale = { 'if-match': '"v7"' };
    expect((await api.admin.send('PUT', module, sample().replace, stale)).status).toBe(412);
    expect((await api.admin.delete(module, stale)).status).toBe(412);
    const etag = { 'if-match': (await api.admin.get(module)).headers.get('etag') ?? '' };
    expect((await api.admin.send('PUT', module, sample().replace, etag)).status).toBe(200);
  });
});

it('no secret is in responses, events or rows', async () => {
  const all = Object.fromEntries(names.map((name) => [name, samples[name]?.set]));
  const { path, id, ...created } = await makeRoute(all);
  const texts = [JSON.stringify(created)];
  for (const name of names) {
    texts.push((await api.admin.send('PUT', `${path}/${name}`, samples[name]?.replace)).text);
    texts.push((await api.admin.get(`${path}/${name}`)).text);
  }
  texts.push((await api.admin.get(path)).text, (await api.admin.get(`${edge.path}/routes`)).text);
  const { db } = api.store;
  const rows = await db.selectFrom('resources').select('attributes').where('id', '=', id).execute();
  const recorded = await db.selectFrom('events').select('payload').where('resource_id', '=', id).execute();
  expect(recorded.length).toBe(1 + names.length);
  texts.push(...recorded.map(({ payload }) => payload));
  const secrets = Object.values(samples).flatMap((sample) => sample.secrets ?? []);
  const shownNames = secrets.filter((secret) => secret !== 'request_signing_key_pem');
  for (const secret of secrets) expect(texts.join('\n')).not.toContain(secret);
  for (const secret of shownNames) expect(JSON.stringify(rows)).not.toContain(secret);
  const sealed = await db.selectFrom('secrets').select('field').where('resource_id', '=', id).execute();
  expect(sealed.map(({ field }) => field).toSorted()).toEqual([
    'oauth.provider.google.client_secret',
    'oidc.client_secret',
    'saml.request_signing_key_pem',
    'webhook_verification.secret',
  ]);
});

it('two modules that are replaced concurrently are both kept', async () => {
  const { path } = await makeRoute();
  const responses = await Promise.all(
    names.map((name) => api.admin.send('PUT', `${path}/${name}`, samples[name]?.replace)),
  );
  expect(responses.map(({ status }) => status)).toEqual(names.map(() => 200));
  const { body } = await api.admin.get(path);
  for (const name of names) expect(body[name]).toMatchObject(samples[name]?.shown ?? {});
});
