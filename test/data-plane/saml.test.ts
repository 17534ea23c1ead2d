import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DOMParser } from '@xmldom/xmldom';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/ids/id.js';
import type { Created, JsonObject } from '../support/api-client.js';
import { idpMetadata } from '../support/idp-metadata.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const SAML_URL = 'https://login.example.com/base';

let api: TestApi;
let edge: Created;
let route: Created;
let saml: JsonObject;
beforeAll(async () => {
  api = await startTestApi({ SAML_URL: `${SAML_URL}/` });
  edge = await api.admin.create('/edges/https', {});
  route = await api.admin.create(`${edge.path}/routes`, {
    match_type: 'path_prefix',
    match: '/',
    saml: { enabled: false, idp_metadata: idpMetadata() },
  });
  saml = route.saml as JsonObject;
});
afterAll(() => api.close());

/** Sends a request without a key, with another Host header. */
async function send(path: string, method = 'GET', form?: string) {
  const headers = { host: 'evil.example.org', 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request(`${api.baseUrl}${path}`, { method, headers });
  sent.end(form);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: unknown[] = await response.setEncoding('utf8').toArray();
  return { status: response.statusCode, type: response.headers['content-type'], text: chunks.join('') };
}

describe('the addresses of a SAML service provider', () => {
  it('begin with SAML_URL in responses and events, whatever the Host header', async () => {
    const base = `${SAML_URL}/saml/${route.id}`;
    const addresses = {
      entity_id: `${base}/metadata`,
      metadata_url: `${base}/metadata`,
      assertion_consumer_service_url: `${base}/acs`,
      single_logout_url: `${base}/slo`,
    };
    expect(saml).toMatchObject(addresses);
    expect((await api.admin.get(`${route.path}/saml`)).body).toEqual(saml);
    const other = await api.admin.create('/edges/https', {});
    await api.admin.create(`${other.path}/routes`, {
      match_type: 'path_prefix',
      match: '/',
      saml: { idp_metadata: idpMetadata() },
    });
    expect((await api.admin.delete(other.path)).status).toBe(204);
    const { body } = await api.admin.get('/events?type=https_edge_route_deleted.v0&limit=1');
    const [event] = body.events as [{ payload: { object: { id: string; saml: JsonObject } } }];
    expect(event.payload.object.saml.entity_id).toBe(`${SAML_URL}/saml/${event.payload.object.id}/metadata`);
  });
});

describe('the metadata of a SAML service provider', () => {
  it('is served without a key, also while the module is disabled', async () => {
    const { status, type, text } = await send(`/saml/${route.id}/metadata`);
    expect([status, type]).toEqual([200, 'application/samlmetadata+xml; charset=utf-8']);
    expect(text).not.toContain('evil');
    const root = new DOMParser().parseFromString(text, 'text/xml').documentElement;
    const of = (name: string) => Array.from(root?.getElementsByTagNameNS('*', name) ?? []);
    const locationsOf = (name: string) => of(name).map((service) => service.getAttribute('Location'));
    expect(root?.getAttribute('entityID')).toBe(saml.entity_id);
    expect(locationsOf('AssertionConsumerService')).toEqual([saml.assertion_consumer_service_url]);
    expect(locationsOf('SingleLogoutService')).toEqual([saml.single_logout_url, saml.single_logout_url]);
    expect(of('NameIDFormat')[0]?.textContent).toBe(saml.nameid_format);
    const pem = String(saml.request_signing_certificate_pem).replaceAll(/-----[^-]+-----|\s/g, '');
    expect(of('X509Certificate')[0]?.textContent).toBe(pem);
  });

  it('exists only for routes with the module', async () => {
    const plain = await api.admin.create(`${edge.path}/routes`, { match_type: 'exact_path', match: '/plain' });
    for (const id of [plain.id, newId('edghtsrt'), edge.id, 'nonsense']) {
      const { status, text } = await send(`/saml/${id}/metadata`);
      expect([status, (JSON.parse(text) as JsonObject).error_code]).toEqual([404, 'not_found']);
    }
  });
});

describe('the metadata of a SAML service provider', () => {
  it('is read on a tenth of the connections, however many requests there are', async () => {
    const reading = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query like 'select "attributes" from "resources" where "id"%'`.execute(api.store.db);
      return rows[0]?.count ?? 0;
    };
    const sent = await api.store.db.transaction().execute(async (trx) => {
      await sql`lock table resources in access exclusive mode`.execute(trx);
      const requests = Array.from({ length: 30 }, () => send(`/saml/${route.id}/metadata`));
      // Of the 32 connections of the pool.
      await expect.poll(reading).toBe(3);
      await sleep(500);
      expect(await reading()).toBe(3);
      return requests;
    });
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('logins and logouts of SAML', () => {
  it.each([
    ['POST', 'acs', 'SAMLResponse=PHNhbWw%2B'],
    ['GET', 'slo', undefined],
    ['POST', 'slo', 'SAMLRequest=PHNhbWw%2B'],
  ])('are not answered here: %s …/%s', async (method, name, form) => {
    const { status, type, text } = await send(`/saml/${route.id}/${name}`, method, form);
    expect([status, type]).toEqual([421, 'application/problem+json; charset=utf-8']);
    expect(JSON.parse(text)).toMatchObject({
      error_code: 'misdirected_request',
      detail: expect.stringContaining(`/saml/${route.id}/${name}`) as string,
    });
  });
});

describe('unknown SAML routes', () => {
  it('are refused after UNKNOWN_KEYS_PER_MINUTE, counted with unknown API keys', async () => {
    const limited = await startTestApi({ UNKNOWN_KEYS_PER_MINUTE: '1' });
    const missing = async () => (await limited.client(null).get(`/saml/${newId('edghtsrt')}/metadata`)).status;
    try {
      expect([await missing(), await missing()]).toEqual([404, 429]);
      expect((await limited.client('guess').get('/ip_policies')).status).toBe(429);
      const { path } = await limited.admin.create('/edges/https', {});
      const found = await limited.admin.create(`${path}/routes`, {
        match_type: 'path_prefix',
        match: '/',
        saml: { idp_metadata: idpMetadata() },
      });
      const metadata = await fetch(`${limited.baseUrl}/saml/${found.id}/metadata`);
      expect(metadata.status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
