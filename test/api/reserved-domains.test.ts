import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../tools/harness/certificates.js';
import type { TestResponse } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ SERVICE_DOMAINS: 'waybill.test,way.test', CNAME_DOMAIN: 'in.way.test' });
});
afterAll(() => api.close());

const reserve = (body: Readonly<Record<string, unknown>>): Promise<TestResponse> =>
  api.admin.post('/reserved_domains', body);
const policy = { authority: 'letsencrypt', private_key_type: 'ecdsa' };

async function certificateId(): Promise<string> {
  const { certificate, key } = await makeCertificate({ dnsNames: ['*.example.com'] });
  const body = { certificate_pem: certificate, private_key_pem: key };
  return (await api.admin.create('/tls_certificates', body)).id;
}

describe('the name of a reserved domain', () => {
  it('is stored in lower-case ASCII', async () => {
    expect((await reserve({ domain: 'Bücher.Example' })).body.domain).toBe('xn--bcher-kva.example');
  });

  it('is refused when it is not a host name', async () => {
    const response = await reserve({ domain: 'no spaces.example.com' });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([
      { pointer: '/domain', detail: 'must be a host name such as app.example.com' },
    ]);
  });

  it('belongs to one account after concurrent requests of several', async () => {
    const stranger = await api.addAccount();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? api.admin : stranger).post('/reserved_domains', { domain: 'one.other.example.com' }),
      ),
    );
    const having = (wanted: number) => responses.filter(({ status }) => status === wanted).length;
    expect([having(201), having(409)]).toEqual([1, 49]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ detail: 'The domain one.other.example.com is already reserved.' });
  });

  it('and its wildcard belong to one account, whichever is first', async () => {
    const stranger = await api.addAccount();
    const statusOf = async (client: typeof stranger, domain: string) =>
      (await client.post('/reserved_domains', { domain })).status;
    expect(await statusOf(api.admin, '*.own.waybill.test')).toBe(201);
    const refused = await stranger.post('/reserved_domains', { domain: 'pay.own.waybill.test' });
    expect([refused.status, refused.body.error_code]).toEqual([409, 'conflict']);
    expect(await statusOf(stranger, '*.own.waybill.test')).toBe(409);
    expect(await statusOf(api.admin, 'pay.own.waybill.test')).toBe(201);
    for (const outside of ['own.waybill.test', 'deep.pay.own.waybill.test', '*.pay.own.waybill.test'])
      expect(await statusOf(stranger, outside), outside).toBe(201);
    for (let round = 0; round < 10; round += 1) {
      const statuses = await Promise.all([
        statusOf(api.admin, `*.r${round}.way.test`),
        statusOf(stranger, `a.r${round}.way.test`),
      ]);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409]);
    }
  });

  it.each([
    'waybill.test',
    'in.way.test',
    'x.in.way.test',
    '*.waybill.test',
    '*.in.way.test',
    '3.us.tcp.waybill.test',
    'ns1.waybill.test',
  ])('is refused when the service uses it: %s', async (domain) => {
    const response = await reserve({ domain });
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer: '/domain' }]);
  });

  it('cannot be changed', async () => {
    const { path } = await api.admin.create('/reserved_domains', { domain: 'fixed.example.com' });
    expect((await api.admin.patch(path, { domain: 'other.example.com' })).status).toBe(400);
  });
});

describe('the DNS targets of a reserved domain', () => {
  it.each([
    ['shop.waybill.test', false, false],
    ['deep.shop.way.test', false, false],
    ['*.shop.way.test', false, false],
    ['shop.example.com', true, false],
    ['*.shop.example.com', true, true],
    ['notway.test', true, false],
  ])('of %s: CNAME %s, _acme-challenge %s', async (domain, cname, acme) => {
    const { body } = await reserve({ domain });
    const under = expect.stringMatching(/^[0-9a-z-]+\.in\.way\.test$/) as string;
    expect(body.cname_target).toEqual(cname ? under : null);
    expect(body.acme_challenge_cname_target).toEqual(acme ? under : null);
  });

  it('are unique to the domain', async () => {
    const [one, two] = [await reserve({ domain: 'a.example.org' }), await reserve({ domain: 'b.example.org' })];
    expect(one.body.cname_target).not.toBe(two.body.cname_target);
  });
});

describe('the region of a reserved domain', () => {
  it('is null by default, and one of seven', async () => {
    expect((await reserve({ domain: 'r1.example.com' })).body.region).toBeNull();
    expect((await reserve({ domain: 'r2.example.com', region: 'sa' })).body.region).toBe('sa');
    expect((await reserve({ domain: 'r3.example.com', region: 'moon' })).status).toBe(400);
    // Other implementations of the interface return an empty string, which clients may send back.
    expect((await reserve({ domain: 'r4.example.com', region: '' })).body.region).toBeNull();
    expect((await reserve({ domain: 'r5.example.com', region: null })).body.region).toBeNull();
  });
});

describe('the certificate of a reserved domain', () => {
  it('is managed with ECDSA keys and Let’s Encrypt by default', async () => {
    const { body } = await reserve({ domain: 'c1.example.com', certificate_management_policy: {} });
    expect(body).toMatchObject({
      certificate: null,
      certificate_management_policy: policy,
      certificate_management_status: {
        renews_at: null,
        provisioning_job: { error_code: null, retries_at: null, started_at: expect.any(String) as string },
      },
    });
    const wrong = await reserve({
      domain: 'c2.example.com',
      certificate_management_policy: { authority: 'zerossl' },
    });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors).toMatchObject([{ pointer: '/certificate_management_policy/authority' }]);
  });

  it('is either uploaded or managed, on create and on update', async () => {
    const certificate_id = await certificateId();
    const both = { certificate_id, certificate_management_policy: policy };
    expect((await reserve({ domain: 'c3.example.com', ...both })).body.errors).toMatchObject([
      { pointer: '/certificate_id' },
    ]);
    const { path } = await api.admin.create('/reserved_domains', {
      domain: 'c3.example.com',
      certificate_id,
    });
    const added = await api.admin.patch(path, { certificate_management_policy: policy });
    expect(added.body.errors).toMatchObject([{ pointer: '/certificate_management_policy' }]);
    const managed = await api.admin.patch(path, {
      certificate_id: null,
      certificate_management_policy: policy,
    });
    expect(managed.body).toMatchObject({ certificate: null, certificate_management_policy: policy });
    expect((await api.admin.patch(path, { certificate_id })).body.errors).toMatchObject([
      { pointer: '/certificate_id' },
    ]);
    const uploaded = await api.admin.patch(path, { certificate_id, certificate_management_policy: null });
    expect(uploaded.body).toMatchObject({
      certificate: { id: certificate_id },
      certificate_management_policy: null,
      certificate_management_status: null,
    });
  });

  it('must cover the domain, on create and on update', async () => {
    const certificate_id = await certificateId();
    const refused = await reserve({ domain: 'a.b.example.com', certificate_id });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/certificate_id' }]]);
    expect((await reserve({ domain: '*.example.com', certificate_id })).status).toBe(201);
    const { path } = await api.admin.create('/reserved_domains', { domain: 'uncovered.example.org' });
    const changed = await api.admin.patch(path, { certificate_id });
    expect([changed.status, changed.body.errors]).toMatchObject([400, [{ pointer: '/certificate_id' }]]);
    expect((await api.admin.get(path)).body.certificate).toBeNull();
  });

  it('must belong to the same account', async () => {
    const stranger = await api.addAccount();
    const { certificate, key } = await makeCertificate();
    const body = { certificate_pem: certificate, private_key_pem: key };
    const { id } = await stranger.create('/tls_certificates', body);
    const response = await reserve({ domain: 'c4.example.com', certificate_id: id });
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer: '/certificate_id' }]);
  });

  it('keeps its status on other changes, and restarts provisioning with another policy', async () => {
    const { path, ...created } = await api.admin.create('/reserved_domains', {
      domain: 'c5.example.com',
      certificate_management_policy: policy,
    });
    const described = await api.admin.patch(path, {
      description: 'x',
      certificate_management_policy: policy,
    });
    expect(described.body.certificate_management_status).toEqual(created.certificate_management_status);
    const other = await api.admin.patch(path, { certificate_management_policy: { private_key_type: 'rsa' } });
    expect(other.body.certificate_management_policy).toEqual({ ...policy, private_key_type: 'rsa' });
    const kept = await api.admin.patch(path, { certificate_management_policy: { authority: 'letsencrypt' } });
    expect(kept.body).toEqual(other.body);
    expect(other.body.certificate_management_status).not.toEqual(created.certificate_management_status);
  });
});
