import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/ids/id.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const PATH = '/backends/tunnel_group';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

/** Writes a tunnel that is online while its lease lasts. Returns the id of the tunnel. */
async function tunnel(
  labels: Readonly<Record<string, string>>,
  { accountId = api.accountId, seconds = 3600 } = {},
): Promise<string> {
  const [id, leaseId, now] = [newId('tn'), newId('ts'), new Date()];
  await api.store.db
    .insertInto('leases')
    .values({
      id: leaseId,
      account_id: accountId,
      expires_at: new Date(now.getTime() + seconds * 1000),
      content_hash: Buffer.alloc(32),
    })
    .execute();
  await api.store.db
    .insertInto('resources')
    .values({
      id,
      account_id: accountId,
      kind: 'tunnel',
      lease_id: leaseId,
      attributes: JSON.stringify({ labels }),
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

function refs(...ids: readonly string[]) {
  return ids.map((id) => ({ id, uri: `${api.baseUrl}/tunnels/${id}` }));
}

describe('a tunnel-group backend', () => {
  it('has the tunnels with all its labels, newest first, in reads, lists and events', async () => {
    const app = newId('x');
    const { path: its, ...group } = await api.admin.create(PATH, { labels: { app, env: 'prod' } });
    expect(group.tunnels).toEqual([]);
    const exact = await tunnel({ app, env: 'prod' });
    const more = await tunnel({ app, env: 'prod', zone: 'b' });
    await tunnel({ app });
    await tunnel({ app, env: 'test' });
    await tunnel({});
    expect((await api.admin.get(its)).body.tunnels).toEqual(refs(more, exact));
    const list = await api.admin.get(`${PATH}?limit=1`);
    expect(list.body.backends).toEqual([{ ...group, tunnels: refs(more, exact) }]);
    const changed = await api.admin.patch(its, { description: 'renamed' });
    expect(changed.body.tunnels).toEqual(refs(more, exact));
    const { body } = await api.admin.get('/events?type=tunnel_group_backend_updated.v0&limit=1');
    expect(body.events).toMatchObject([
      { payload: { object: changed.body, changes: { after: { description: 'renamed' } } } },
    ]);
  });

  it('has the tunnels of its new labels when the labels change', async () => {
    const app = newId('x');
    const other = await tunnel({ app, env: 'test' });
    const group = await api.admin.create(PATH, { labels: { app, env: 'prod' } });
    expect((await api.admin.patch(group.path, { labels: { app } })).body.tunnels).toEqual(refs(other));
  });

  it('has no ended tunnels, and none of another account', async () => {
    const app = newId('x');
    const stranger = await api.addAccount();
    const theirs = await stranger.create(PATH, { labels: { app } });
    await tunnel({ app }, { seconds: -1 });
    const ours = await tunnel({ app });
    const group = await api.admin.create(PATH, { labels: { app } });
    expect(group.tunnels).toEqual(refs(ours));
    expect((await stranger.get(theirs.path)).body.tunnels).toEqual([]);
  });

  it('has its own tunnels in a list of several groups', async () => {
    const [a, b] = [newId('x'), newId('x')];
    const [ofA, ofB] = [await tunnel({ app: a }), await tunnel({ app: b })];
    await api.admin.create(PATH, { labels: { app: a } });
    await api.admin.create(PATH, { labels: { app: b } });
    const list = await api.admin.get(`${PATH}?limit=2`);
    expect(list.body.backends).toMatchObject([{ tunnels: refs(ofB) }, { tunnels: refs(ofA) }]);
  });

  it.each([
    [{}, '/labels'],
    [{ labels: {} }, '/labels'],
    [{ labels: null }, '/labels'],
    [{ labels: { app: 1 } }, '/labels/app'],
    [{ labels: { '': 'x' } }, '/labels/'],
    [{ labels: { app: 'é'.repeat(128) } }, '/labels/app'],
    [{ labels: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`l${i}`, ''])) }, '/labels'],
    [{ labels: { app: 'x' }, tunnels: [] }, '/tunnels'],
  ])('is refused with a pointer to the error (%#)', async (body, pointer) => {
    const response = await api.admin.post(PATH, body);
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer }]);
  });
});

it('has an ETag that changes with its tunnels, while If-Match compares the version only', async () => {
  const group = await api.admin.create(PATH, { labels: { etag: 'test' } });
  const etag = (await api.admin.get(group.path)).headers.get('etag') ?? '';
  expect((await api.admin.get(group.path, { 'if-none-match': etag })).status).toBe(304);
  const id = await tunnel({ etag: 'test' });
  const response = await api.admin.get(group.path, { 'if-none-match': etag });
  expect([response.status, response.body.tunnels]).toMatchObject([200, [{ id }]]);
  const change = { description: 'changed' };
  expect((await api.admin.patch(group.path, change, { 'if-match': etag })).status).toBe(200);
  expect((await api.admin.patch(group.path, change, { 'if-match': etag })).status).toBe(412);
});
