import { EventEmitter, once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/ids/id.js';
import { ReservationStore } from '../../src/resources/building-blocks/names/reservation-store.js';
import type { TestClient } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

type Part = { readonly id: string; readonly url: string };

let hosts = 0;
function freshUrl(scheme = 'https'): string {
  hosts += 1;
  return `${scheme}://host${hosts}.example.com`;
}

const errorsOf = async (client: TestClient, body: unknown) => {
  const response = await client.post('/endpoints', body);
  expect(response.status).toBe(400);
  return response.body.errors;
};

describe('an endpoint', () => {
  it('has the parts of its URL and the defaults of omitted fields', async () => {
    const endpoint = await api.admin.create('/endpoints', { url: 'HTTPS://Shop.Example.com:443/' });
    const me = await api.admin.get('/api_keys?limit=1');
    const [{ owner_id: owner }] = me.body.keys as [{ owner_id: string }];
    expect(endpoint).toMatchObject({
      url: 'https://shop.example.com',
      public_url: 'https://shop.example.com',
      proto: 'https',
      scheme: 'https',
      host: 'shop.example.com',
      port: 443,
      hostport: 'shop.example.com:443',
      type: 'cloud',
      bindings: null,
      pooling_enabled: false,
      principal: { id: owner },
      description: null,
      metadata: null,
      traffic_policy: null,
      region: null,
      domain: null,
      tcp_addr: null,
      tunnel: null,
      edge: null,
      tunnel_session: null,
      upstream_url: null,
      upstream_protocol: null,
      name: null,
    });
    expect(endpoint.updated_at).toBe(endpoint.created_at);
  });

  it('belongs to the bot that created it', async () => {
    const bot = await api.addBot();
    const endpoint = await bot.create('/endpoints', { url: freshUrl() });
    expect(endpoint.principal).toEqual({ id: bot.botId, uri: `${api.baseUrl}/bot_users/${bot.botId}` });
  });

  it('has the time of its last change', async () => {
    const endpoint = await api.admin.create('/endpoints', { url: freshUrl() });
    const { body } = await api.admin.patch(endpoint.path, { description: 'changed' });
    expect(String(body.updated_at) > String(endpoint.updated_at)).toBe(true);
    expect(body.created_at).toBe(endpoint.created_at);
  });

  it.each([
    [{ type: 'ephemeral' }, '/type', 'must be cloud'],
    [{ type: 'edge' }, '/type', 'must be cloud'],
    [{ type: 'other' }, '/type', 'must be cloud'],
    [{ url: 'https://shop.example.com/cart' }, '/url', 'must not have a path'],
    [{ url: undefined }, '/url', 'is required'],
    [{ bindings: ['moon'] }, '/bindings/0', 'must be one of'],
    [{ bindings: ['public', 'public'] }, '/bindings', 'same binding twice'],
    [{ bindings: [] }, '/bindings', 'at least 1'],
    [{ traffic_policy: 'a: [' }, '/traffic_policy', 'in the policy: is not YAML: line 1'],
    [{ traffic_policy: 'no map' }, '/traffic_policy', 'in the policy: must be an object'],
    [{ traffic_policy: 'on_tcp_connect: []' }, '/traffic_policy', 'is a phase of TCP and TLS traffic'],
    [{ url: 'tls://a.example.com', traffic_policy: '{"on_http_request":[]}' }, '/traffic_policy', 'on_http'],
    [{ traffic_policy: '{"on_http_request":[{}]}' }, '/traffic_policy', '/on_http_request/0'],
    [{ principal_id: 'usr_1' }, '/principal_id', 'is unknown'],
  ])('is refused when created with %j', async (members, pointer, words) => {
    const errors = await errorsOf(api.admin, { url: freshUrl(), ...members });
    expect(errors).toContainEqual({ pointer, detail: expect.stringContaining(words) as string });
  });

  it('has a principal whose address answers', async () => {
    const endpoint = await api.admin.create('/endpoints', { url: freshUrl() });
    const { id, uri } = endpoint.principal as { id: string; uri: string };
    const response = await api.admin.get(uri);
    expect([response.status, response.body]).toMatchObject([200, { id, uri, name: 'admin', admin: true }]);
    const stranger = await api.addAccount();
    expect((await stranger.get(uri)).status).toBe(404);
  });

  it('is refused a URL whose protocol lacks the phases of its policy', async () => {
    const endpoint = await api.admin.create('/endpoints', {
      url: freshUrl(),
      traffic_policy: '{"on_http_request":[]}',
    });
    const url = freshUrl('tls');
    const refused = await api.admin.patch(endpoint.path, { url });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/traffic_policy' }]]);
    expect((await api.admin.patch(endpoint.path, { url, traffic_policy: null })).body).toMatchObject({
      url,
      proto: 'tls',
      port: 443,
    });
  });
});

describe('the list of endpoints', () => {
  it('is limited to ids and URLs, and its next page too', async () => {
    const made = [];
    for (let count = 0; count < 3; count += 1) made.push(await api.admin.create('/endpoints', { url: freshUrl() }));
    const [first, second, third] = made.map(({ id, url }) => ({ id, url: String(url) })) as [Part, Part, Part];
    const idsOf = async (query: string) => {
      const { body } = await api.admin.get(`/endpoints?${query}`);
      return (body.endpoints as Part[]).map(({ id }) => id);
    };
    expect(await idsOf(`id=${first.id}&id=${third.id}`)).toEqual([third.id, first.id]);
    expect(await idsOf(`url=${encodeURIComponent(second.url.toUpperCase())}`)).toEqual([second.id]);
    expect(await idsOf(`url=${second.url}&id=${first.id}`)).toEqual([]);
    expect(await idsOf(`id=${second.id}&url=${second.url}&url=${first.url}`)).toEqual([second.id]);
    const page = await api.admin.get(`/endpoints?id=${first.id}&id=${second.id}&limit=1`);
    expect(page.body.endpoints).toMatchObject([{ id: second.id }]);
    const next = await api.admin.get(String(page.body.next_page_uri));
    expect(next.body).toMatchObject({ endpoints: [{ id: first.id }], next_page_uri: null });
    const stranger = await api.addAccount();
    expect((await stranger.get(`/endpoints?id=${first.id}`)).body.endpoints).toEqual([]);
  });

  it('refuses a URL that no endpoint can have', async () => {
    const answer = await api.admin.get('/endpoints?url=nonsense');
    expect([answer.status, answer.body.errors]).toMatchObject([
      400,
      [{ pointer: expect.stringContaining('url') as string }],
    ]);
  });
});

describe('a URL', () => {
  const shared = { pooling_enabled: true };

  it('is served by one endpoint, whatever its notation', async () => {
    const first = await api.admin.create('/endpoints', { url: 'https://one.example.com' });
    for (const url of ['https://one.example.com', 'https://ONE.example.com:443/']) {
      const response = await api.admin.post('/endpoints', { url });
      expect([response.status, response.body.error_code, response.body.conflicts]).toEqual([
        409,
        'conflict',
        [first.id],
      ]);
    }
    for (const url of ['http://one.example.com', 'https://one.example.com:8443', 'https://*.example.com']) {
      expect((await api.admin.post('/endpoints', { url })).status).toBe(201);
    }
    expect((await api.admin.delete(first.path)).status).toBe(204);
    expect((await api.admin.post('/endpoints', { url: 'https://one.example.com' })).status).toBe(201);
  });

  it('is shared if all endpoints allow pooling, and none of them can disallow it meanwhile', async () => {
    const url = freshUrl();
    const first = await api.admin.create('/endpoints', { url, ...shared });
    expect((await api.admin.post('/endpoints', { url })).status).toBe(409);
    const second = await api.admin.create('/endpoints', { url, ...shared });
    expect((await api.admin.patch(first.path, { pooling_enabled: false })).status).toBe(409);
    expect((await api.admin.patch(first.path, { description: 'd' })).status).toBe(200);
    await api.admin.delete(second.path);
    expect((await api.admin.patch(first.path, { pooling_enabled: false })).status).toBe(200);
    expect((await api.admin.post('/endpoints', { url, ...shared })).status).toBe(409);
  });

  it('cannot be changed to the URL of another endpoint', async () => {
    const [taken, own] = [freshUrl(), freshUrl()];
    await api.admin.create('/endpoints', { url: taken });
    const endpoint = await api.admin.create('/endpoints', { url: own });
    expect((await api.admin.patch(endpoint.path, { url: taken })).status).toBe(409);
    expect((await api.admin.get(endpoint.path)).body.url).toBe(own);
  });

  it('that is public belongs to one account, and other accounts learn nothing else', async () => {
    const url = freshUrl();
    const mine = await api.admin.create('/endpoints', { url, ...shared });
    const stranger = await api.addAccount();
    const response = await stranger.post('/endpoints', { url, ...shared });
    expect([response.status, response.body.error_code]).toEqual([409, 'conflict']);
    expect(response.text).not.toContain(mine.id);
    const internal = { url, bindings: ['internal'] };
    const theirs = await stranger.create('/endpoints', internal);
    for (const bindings of [['public'], null])
      expect((await stranger.patch(theirs.path, { bindings })).status).toBe(409);
    const explicit = await api.admin.patch(mine.path, { bindings: ['public'] });
    expect([explicit.body.bindings, (await stranger.patch(theirs.path, { bindings: null })).status]).toEqual([
      ['public'],
      409,
    ]);
    expect((await api.admin.patch(mine.path, { bindings: null })).body.bindings).toBeNull();
  });

  it('has endpoints of one account only after two accounts send fifty concurrent requests', async () => {
    const url = freshUrl();
    const clients = [api.admin, await api.addAccount()];
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (clients[index % 2] ?? api.admin).post('/endpoints', { url, ...shared }),
      ),
    );
    const [mine, theirs] = [0, 1].map((which) => responses.filter((__, index) => index % 2 === which));
    const statusesOf = (list: typeof responses | undefined) => [...new Set(list?.map(({ status }) => status))];
    expect([...statusesOf(mine), ...statusesOf(theirs)].toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  it('has one endpoint after fifty concurrent requests', async () => {
    const url = freshUrl();
    const responses = await Promise.all(Array.from({ length: 50 }, () => api.admin.post('/endpoints', { url })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 409),
    ]);
  });
});

describe('a reservation', () => {
  it('is referred to by its endpoints, and cannot be deleted meanwhile', async () => {
    const domain = await api.admin.create('/reserved_domains', { domain: 'reserved.example.org' });
    const endpoint = await api.admin.create('/endpoints', { url: 'https://reserved.example.org:8443' });
    expect(endpoint.domain).toEqual({ id: domain.id, uri: `${api.baseUrl}${domain.path}` });
    const refused = await api.admin.delete(domain.path);
    expect([refused.status, refused.body.conflicts]).toEqual([409, [endpoint.id]]);
    await api.admin.delete(endpoint.path);
    expect((await api.admin.delete(domain.path)).status).toBe(204);
  });

  it('of a wildcard covers its subdomains, unless the name itself is reserved', async () => {
    const wildcard = await api.admin.create('/reserved_domains', { domain: '*.wild.example.org' });
    const name = await api.admin.create('/reserved_domains', { domain: 'tame.wild.example.org' });
    const domainOf = async (url: string) => (await api.admin.create('/endpoints', { url })).domain;
    expect(await domainOf('https://any.wild.example.org')).toMatchObject({ id: wildcard.id });
    expect(await domainOf('https://*.wild.example.org')).toMatchObject({ id: wildcard.id });
    expect(await domainOf('https://tame.wild.example.org')).toMatchObject({ id: name.id });
    expect(await domainOf('https://wild.example.org')).toBeNull();
    expect(await domainOf('https://two.any.wild.example.org')).toBeNull();
  });

  it('by another account refuses public endpoints, but not internal ones', async () => {
    const stranger = await api.addAccount();
    await stranger.create('/reserved_domains', { domain: 'theirs.example.org' });
    const url = 'https://theirs.example.org';
    expect((await api.admin.post('/endpoints', { url })).status).toBe(409);
    const internal = await api.admin.create('/endpoints', { url, bindings: ['internal'] });
    expect(internal.domain).toBeNull();
  });

  it('by another account, concurrent with an endpoint, never coexists with the endpoint', async () => {
    const stranger = await api.addAccount();
    const domain = 'contested.example.org';
    const { store } = api;
    const [reserved, commit] = [new EventEmitter(), new EventEmitter()];
    const isReserved = once(reserved, 'now');
    // Another transaction reserves the name: it has checked for conflicts, and has not committed.
    const reserving = store.db.transaction().execute(async (trx) => {
      await new ReservationStore(trx).lockName(domain);
      const { rows } = await sql<{ id: string }>`select id from accounts where id <> ${api.accountId}
        order by created_at desc limit 1`.execute(trx);
      const now = new Date();
      await trx
        .insertInto('resources')
        .values({
          id: newId('rd'),
          account_id: rows[0]?.id ?? '',
          kind: 'reserved_domain',
          attributes: JSON.stringify({ domain }),
          created_at: now,
          updated_at: now,
        })
        .execute();
      reserved.emit('now');
      await once(commit, 'now');
    });
    await isReserved;
    const responses = [
      api.admin.post('/endpoints', { url: `https://${domain}` }),
      api.admin.post('/edges/https', { hostports: [`${domain}:443`] }),
    ];
    const waiting = async () => {
      const { rows } = await store.pool.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length;
    };
    await expect.poll(waiting).toBe(2);
    commit.emit('now');
    await reserving;
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([409, 409]);
    // Repeated at full speed: after a successful reservation, only the owner is served.
    for (let round = 0; round < 10; round += 1) {
      const host = `contested-${round}.example.org`;
      const [placed, taken] = await Promise.all([
        api.admin.post('/endpoints', { url: `https://${host}` }),
        stranger.post('/reserved_domains', { domain: host }),
      ]);
      expect(taken.status).toBe(201);
      expect([201, 409]).toContain(placed.status);
      expect((await api.admin.post('/endpoints', { url: `http://${host}` })).status).toBe(409);
    }
  });

  it('that is deleted while an endpoint is created is none of the endpoint', async () => {
    const { id } = await api.admin.create('/reserved_domains', { domain: 'leaving.example.org' });
    const [creating] = await api.store.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('resources').where('id', '=', id).execute();
      const created = api.admin.post('/endpoints', { url: 'https://leaving.example.org' });
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await api.store.pool.query(waiting)).rowCount).toBe(1);
      return [created];
    });
    const { status, body, text } = (await creating) ?? {};
    expect([status, body?.domain], text).toEqual([201, null]);
  });

  it('after the creation of an endpoint does not affect the endpoint until its URL changes', async () => {
    const stranger = await api.addAccount();
    const [own, theirs] = [
      await api.admin.create('/endpoints', { url: 'https://own-later.example.org' }),
      await api.admin.create('/endpoints', { url: 'https://their-later.example.org' }),
    ];
    const domain = await api.admin.create('/reserved_domains', { domain: 'own-later.example.org' });
    await stranger.create('/reserved_domains', { domain: 'their-later.example.org' });
    for (const { path } of [own, theirs]) {
      const response = await api.admin.patch(path, { metadata: 'changed' });
      expect([response.status, response.body.metadata, response.body.domain]).toEqual([200, 'changed', null]);
    }
    expect((await api.admin.patch(theirs.path, { pooling_enabled: true })).status).toBe(409);
    const moved = await api.admin.patch(own.path, { url: 'https://own-later.example.org:8443' });
    expect(moved.body.domain).toMatchObject({ id: domain.id });
  });

  it('of an address is referred to by TCP endpoints', async () => {
    const address = await api.admin.create('/reserved_addrs', {});
    const endpoint = await api.admin.create('/endpoints', { url: `tcp://${String(address.addr)}` });
    expect(endpoint.tcp_addr).toMatchObject({ id: address.id });
    expect((await api.admin.delete(address.path)).body.conflicts).toEqual([endpoint.id]);
  });
});
