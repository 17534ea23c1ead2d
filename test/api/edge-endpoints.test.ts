import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/ids/id.js';
import type { Created, JsonObject, TestClient } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

let hosts = 0;
function freshHost(): string {
  hosts += 1;
  return `edge${hosts}.example.com`;
}

async function endpointsOf({ id }: Created, client: TestClient = api.admin): Promise<readonly JsonObject[]> {
  const { body } = await client.get('/endpoints');
  return (body.endpoints as JsonObject[]).filter(({ edge }) => (edge as JsonObject | null)?.id === id).toReversed();
}

/** The types of the events about these resources, oldest first, with their objects. */
async function eventsAbout(ids: readonly unknown[]) {
  const { body } = await api.admin.get('/events?limit=100');
  const events = body.events as { type: string; resource_id: string; payload: { object: JsonObject } }[];
  return events.filter(({ resource_id }) => ids.includes(resource_id)).toReversed();
}

describe('the endpoints of an edge', () => {
  it('are those of its hostports, with the metadata of the edge', async () => {
    const host = freshHost();
    const me = (await api.admin.get('/api_keys?limit=1')).body.keys as [{ owner_id: string }];
    const edge = await api.admin.create('/edges/https', {
      metadata: '{"a":1}',
      description: 'shop',
      hostports: [`${host.toUpperCase()}:443`, `*.${host}:8443`],
    });
    const endpoints = await endpointsOf(edge);
    expect(endpoints).toMatchObject([
      {
        type: 'edge',
        url: `https://${host}`,
        hostport: `${host}:443`,
        edge: { id: edge.id, uri: edge.uri },
        metadata: '{"a":1}',
        description: null,
        bindings: null,
        pooling_enabled: false,
        principal: { id: me[0].owner_id },
        tunnel: null,
        tunnel_session: null,
      },
      { url: `https://*.${host}:8443`, hostport: `*.${host}:8443` },
    ]);
    const events = await eventsAbout([edge.id, ...endpoints.map(({ id }) => id)]);
    expect(events.map(({ type }) => type)).toEqual([
      'https_edge_created.v0',
      'endpoint_created.v0',
      'endpoint_created.v0',
    ]);
    expect(events.at(-1)?.payload.object).toEqual(endpoints[1]);
  });

  it('follow the edge, and end with it', async () => {
    const [one, two, three] = [freshHost(), freshHost(), freshHost()].map((host) => `${host}:9000`);
    const edge = await api.admin.create('/edges/tcp', { hostports: [one, two] });
    const [first, second] = await endpointsOf(edge);
    const headers = { 'if-match': '"v1"' };
    expect((await api.admin.patch(edge.path, { hostports: [three, two] }, headers)).status).toBe(200);
    const [kept, added] = await endpointsOf(edge);
    expect(kept).toEqual(second);
    expect(added).toMatchObject({ url: `tcp://${three}` });
    await api.admin.patch(edge.path, { metadata: 'm' });
    expect(await endpointsOf(edge)).toMatchObject([{ metadata: 'm' }, { metadata: 'm' }]);
    await api.admin.patch(edge.path, { description: 'd' });
    expect((await api.admin.delete(edge.path)).status).toBe(204);
    expect(await endpointsOf(edge)).toEqual([]);
    const typesOf = async (endpoint: JsonObject | undefined) =>
      (await eventsAbout([endpoint?.id])).map(({ type }) => type.replace(/^endpoint_(.*)\.v0$/, '$1'));
    expect(await typesOf(first)).toEqual(['created', 'deleted']);
    expect(await typesOf(second)).toEqual(['created', 'updated', 'deleted']);
    expect(await typesOf(added)).toEqual(['created', 'updated', 'deleted']);
  });

  it('have addresses as hosts too, in one notation', async () => {
    const edge = await api.admin.create('/edges/tcp', {
      hostports: ['192.0.2.7:443', '[2001:DB8:0::1]:443', 'db:5432'],
    });
    expect((await endpointsOf(edge)).map(({ url, host, port }) => [url, host, port])).toEqual([
      ['tcp://192.0.2.7:443', '192.0.2.7', 443],
      ['tcp://[2001:db8::1]:443', '[2001:db8::1]', 443],
      ['tcp://db:5432', 'db', 5432],
    ]);
    for (const hostport of ['[2001:db8::1]:443', '[2001:db8:0:0::0.0.0.1]:443', '[::ffff:192.0.2.7]:443']) {
      const answer = await api.admin.post('/edges/https', { hostports: [hostport] });
      expect([hostport, answer.status, answer.body.conflicts]).toEqual([hostport, 409, [edge.id]]);
    }
  });

  it('refer to the reserved domain of their host', async () => {
    const domain = await api.admin.create('/reserved_domains', { domain: freshHost() });
    const edge = await api.admin.create('/edges/https', { hostports: [`${String(domain.domain)}:443`] });
    expect(await endpointsOf(edge)).toMatchObject([{ domain: { id: domain.id } }]);
    const [{ id } = { id: '' }] = await endpointsOf(edge);
    expect((await api.admin.delete(domain.path)).body.conflicts).toEqual([id]);
  });

  it('cannot be changed or deleted by clients', async () => {
    const edge = await api.admin.create('/edges/https', { hostports: [`${freshHost()}:443`] });
    const [endpoint] = await endpointsOf(edge);
    const path = `/endpoints/${String(endpoint?.id)}`;
    expect((await api.admin.patch(path, { metadata: 'x' })).status).toBe(400);
    expect((await api.admin.delete(path)).status).toBe(400);
    expect(await endpointsOf(edge)).toEqual([endpoint]);
  });
});

describe('a hostport', () => {
  it('belongs to one edge or endpoint, and the error points to the field', async () => {
    const [host, free] = [freshHost(), freshHost()];
    const edge = await api.admin.create('/edges/https', { hostports: [`${host}:443`] });
    const refusals = [
      [
        await api.admin.post('/edges/https', { hostports: [`${free}:443`, `${host.toUpperCase()}:443`] }),
        '/hostports/1',
      ],
      [await api.admin.post('/edges/tcp', { hostports: [`${host}:443`] }), '/hostports/0'],
      [await api.admin.post('/endpoints', { url: `https://${host}`, pooling_enabled: true }), '/url'],
      [await api.admin.post('/endpoints', { url: `tls://${host}` }), '/url'],
    ] as const;
    for (const [answer, pointer] of refusals) {
      expect([answer.status, answer.body.error_code, answer.body.conflicts]).toEqual([409, 'conflict', [edge.id]]);
      expect(answer.body.errors).toMatchObject([{ pointer }]);
    }
    const endpoint = await api.admin.create('/endpoints', { url: `https://${free}` });
    const moved = await api.admin.patch(edge.path, { hostports: [`${host}:443`, `${free}:443`] });
    expect([moved.status, moved.body.conflicts]).toEqual([409, [endpoint.id]]);
    expect(moved.body.errors).toMatchObject([{ pointer: '/hostports/1' }]);
    expect((await api.admin.get(edge.path)).body.hostports).toEqual([`${host}:443`]);
    expect((await api.admin.delete(edge.path)).status).toBe(204);
    expect((await api.admin.post('/endpoints', { url: `tls://${host}` })).status).toBe(201);
  });

  it('belongs to one account, and other accounts learn nothing else', async () => {
    const host = freshHost();
    const edge = await api.admin.create('/edges/https', { hostports: [`${host}:443`] });
    const stranger = await api.addAccount();
    const answer = await stranger.post('/edges/https', { hostports: [`${host}:443`] });
    expect([answer.status, answer.body.errors]).toMatchObject([409, [{ pointer: '/hostports/0' }]]);
    expect(answer.text).not.toContain(edge.id);
    expect((await stranger.post('/endpoints', { url: `https://${host}`, bindings: ['internal'] })).status).toBe(201);
  });

  it('is not given to a request while a transaction that has not committed serves it', async () => {
    const host = freshHost();
    const { db, pool } = api.store;
    const waiting = async () => {
      const { rows } = await pool.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length;
    };
    const answers = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`hostport ${host}:443`}, 0))`.execute(trx);
      const now = new Date();
      const attributes = { type: 'cloud', url: `https://${host}`, bindings: null, pooling_enabled: false };
      await trx
        .insertInto('resources')
        .values({
          id: newId('ep'),
          account_id: api.accountId,
          kind: 'endpoint',
          attributes: JSON.stringify(attributes),
          created_at: now,
          updated_at: now,
        })
        .execute();
      const sent = Promise.all([
        api.admin.post('/edges/https', { hostports: [`${host}:443`] }),
        api.admin.post('/endpoints', { url: `tls://${host}` }),
      ]);
      await expect.poll(waiting).toBe(2);
      return { sent };
    });
    expect((await answers.sent).map(({ status }) => status)).toEqual([409, 409]);
  });

  it('has one owner after concurrent requests for edges and endpoints of two accounts', async () => {
    const stranger = await api.addAccount();
    const [one, two] = [freshHost(), freshHost()];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const client = index % 2 === 0 ? api.admin : stranger;
        // In both orders: the locks must not deadlock.
        const hostports = index % 4 < 2 ? [`${one}:443`, `${two}:443`] : [`${two}:443`, `${one}:443`];
        return index % 3 === 0
          ? client.post('/endpoints', { url: `https://${one}` })
          : client.post(index % 3 === 1 ? '/edges/https' : '/edges/tcp', { hostports });
      }),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 29 }, () => 409),
    ]);
  });
});
