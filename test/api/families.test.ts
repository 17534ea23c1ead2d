import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families } from '../../src/resources/families.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import type { Created } from '../support/api-client.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
/** Only the data plane changes the other families: test/data-plane. */
const ofClients = all.filter(({ operations }) => operations === undefined);

it('has a sample of every family that clients can change', () => {
  expect(Object.keys(samples).toSorted()).toEqual(ofClients.map(({ name }) => name).toSorted());
});

describe.each(ofClients)('$name', (definition) => {
  const sample = samples[definition.name];
  if (!sample) throw new Error(`There is no sample of ${definition.name}.`);
  let collection: string;
  beforeAll(async () => {
    collection = (await sample.collection?.(api.admin)) ?? definition.path;
  });
  const make = async (): Promise<Created> => api.admin.create(collection, await sample.create(api.admin));
  const lastEvent = async (type: string) => {
    const list = await api.admin.get(`/events?type=${type}&limit=1`);
    const [event] = list.body.events as { payload: Record<string, unknown> }[];
    return event?.payload;
  };

  it('is created with 201, the members of the interface, a Location and an ETag', async () => {
    const response = await api.admin.post(collection, await sample.create(api.admin));
    expect(response.status).toBe(201);
    expect(Object.keys(response.body).toSorted()).toEqual(Object.keys(definition.read.shape).toSorted());
    expect(definition.read.safeParse(response.body).error).toBeUndefined();
    const base = definition.relativeUri ? '' : api.baseUrl;
    expect(response.body.uri).toBe(`${base}${collection}/${String(response.body.id)}`);
    expect(response.headers.get('location')).toBe(response.body.uri);
    expect(response.headers.get('etag')).toMatch(/^"v1[-"]/);
  });

  it('is read as it was created, except for members that are returned once', async () => {
    const { path, ...created } = await make();
    const response = await api.admin.get(path);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...created, ...('token' in created && { token: null }) });
  });

  it('is listed under its key with uri and next_page_uri', async () => {
    const { id } = await make();
    const response = await api.admin.get(`${collection}?limit=1`);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body).toSorted()).toEqual([definition.listKey, 'next_page_uri', 'uri'].toSorted());
    expect(response.body[definition.listKey]).toMatchObject([{ id }]);
    expect(response.body.uri).toBe(`${api.baseUrl}${collection}`);
  });

  it('changes only the members in the body, and the event has the changes', async () => {
    const { path, ...created } = await make();
    const response = await api.admin.patch(path, sample.change);
    expect(response.status).toBe(200);
    const changed = Object.keys(response.body).filter(
      (name) =>
        name !== 'token' &&
        name !== 'updated_at' &&
        !isDeepStrictEqual(response.body[name], created[name as keyof typeof created]),
    );
    expect(changed).toEqual(Object.keys(sample.change));
    expect(response.headers.get('etag')).toMatch(/^"v2[-"]/);
    const event = await lastEvent(`${definition.name}_updated.v0`);
    expect(event?.object).toEqual(response.body);
    expect(event?.changes).toEqual({
      before: Object.fromEntries(changed.map((name) => [name, created[name as keyof typeof created]])),
      after: Object.fromEntries(changed.map((name) => [name, response.body[name]])),
    });
  });

  it('emits nothing when an update changes nothing', async () => {
    const { path } = await make();
    await api.admin.patch(path, sample.change);
    const before = await lastEvent(`${definition.name}_updated.v0`);
    const response = await api.admin.patch(path, sample.change);
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"v2[-"]/);
    expect((await lastEvent(`${definition.name}_updated.v0`))?.event_id).toBe(before?.event_id);
    expect((await api.admin.patch(path, {})).status).toBe(200);
  });

  it('accepts its own id in the body of an update, and no other', async () => {
    const { id, path } = await make();
    expect((await api.admin.patch(path, { id })).status).toBe(200);
    const response = await api.admin.patch(path, { id: `${definition.prefix}_other` });
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer: '/id' }]);
  });

  it('is deleted with 204 and no body, and is a 404 afterwards', async () => {
    const { path, id } = await make();
    const deleted = await api.admin.delete(path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const again of [
      await api.admin.get(path),
      await api.admin.patch(path, sample.change),
      await api.admin.delete(path),
    ]) {
      expect(again.status).toBe(404);
      expect(again.body.error_code).toBe('not_found');
    }
    expect((await lastEvent(`${definition.name}_deleted.v0`))?.object).toMatchObject({ id });
  });

  it('emits a created event with the GET response and the principal', async () => {
    const { path, id } = await make();
    const event = await lastEvent(`${definition.name}_created.v0`);
    expect(event).toMatchObject({
      event_type: `${definition.name}_created.v0`,
      account_id: api.accountId,
      object: { id },
      principal: { credential: { uri: expect.stringContaining('/api_keys/ak_') as string } },
      request: { operation_id: expect.stringMatching(/^op_/) as string, ip: '127.0.0.1' },
    });
    expect(event?.object).toEqual((await api.admin.get(path)).body);
  });

  it('refuses unknown fields on create and update, names them, and changes nothing', async () => {
    const { path } = await make();
    const before = await api.admin.get(path);
    const created = await api.admin.post(collection, {
      ...(await sample.create(api.admin)),
      colour: 'red',
      'a/b': 1,
    });
    const updated = await api.admin.patch(path, { ...sample.change, colour: 'red' });
    expect([created.status, updated.status]).toEqual([400, 400]);
    expect(created.body.errors).toEqual([
      { pointer: '/colour', detail: 'is unknown' },
      { pointer: '/a~1b', detail: 'is unknown' },
    ]);
    expect(updated.body.errors).toMatchObject([{ pointer: '/colour' }]);
    expect((await api.admin.get(path)).body).toEqual(before.body);
  });

  it('is neither visible to nor changeable by other accounts', async () => {
    const stranger = await api.addAccount();
    const { path, id } = await make();
    const before = await api.admin.get(path);
    for (const response of [
      await stranger.get(path),
      await stranger.patch(path, sample.change),
      await stranger.delete(path),
    ]) {
      expect(response.status).toBe(404);
    }
    const list = await stranger.get(collection);
    expect(JSON.stringify(list.body)).not.toContain(id);
    expect((await api.admin.get(path)).body).toEqual(before.body);
  });

  it('applies two concurrent updates of different fields', async () => {
    const { path } = await make();
    const fields = Object.keys(definition.update.shape);
    if (!fields.includes('description') || !fields.includes('metadata')) return;
    const responses = await Promise.all([
      api.admin.patch(path, { description: 'one' }),
      api.admin.patch(path, { metadata: 'two' }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await api.admin.get(path)).body).toMatchObject({ description: 'one', metadata: 'two' });
  });

  it('refuses writes whose If-Match names another version', async () => {
    const { path } = await make();
    const etag = (await api.admin.get(path)).headers.get('etag') ?? '';
    expect((await api.admin.patch(path, sample.change, { 'if-match': '"v9"' })).status).toBe(412);
    expect((await api.admin.delete(path, { 'if-match': '"v9"' })).status).toBe(412);
    expect((await api.admin.patch(path, sample.change, { 'if-match': etag })).status).toBe(200);
    expect((await api.admin.patch(path, {}, { 'if-match': etag })).status).toBe(412);
  });
});

describe('description and metadata', () => {
  it.each([
    ['/ip_policies', 'é'.repeat(127), 200 + 1],
    ['/ip_policies', 'é'.repeat(128), 400],
    ['/ip_policies', 'a'.repeat(255), 201],
    ['/ip_policies', 'a'.repeat(256), 400],
    ['/event_subscriptions', 'é'.repeat(255), 201],
    ['/event_subscriptions', '🏢'.repeat(255), 201],
    ['/event_subscriptions', 'é'.repeat(256), 400],
  ])('%s counts the description as the interface says (%#)', async (path, description, status) => {
    expect((await api.admin.post(path, { description })).status).toBe(status);
  });

  it.each([
    ['/ip_policies', 'é'.repeat(2048), 201],
    ['/ip_policies', 'é'.repeat(2049), 400],
    ['/event_subscriptions', 'é'.repeat(4096), 201],
    ['/event_subscriptions', 'a'.repeat(4097), 400],
  ])('%s counts the metadata as the interface says (%#)', async (path, metadata, status) => {
    expect((await api.admin.post(path, { metadata })).status).toBe(status);
  });

  it('are cleared by null and kept when omitted', async () => {
    const { path } = await api.admin.create('/ip_policies', { description: 'd', metadata: 'm' });
    expect((await api.admin.patch(path, { description: null })).body).toMatchObject({
      description: null,
      metadata: 'm',
    });
  });
});
