import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    SERVICE_DOMAINS: 'waybill.test',
    NAME_SERVERS: 'ns-a.waybill.test,ns-b.waybill.test',
    INGRESS_REGIONS: 'eu,us',
  });
});
afterAll(() => api.close());

describe('an agent ingress', () => {
  it('has a relative uri, and the configured name servers and regional domains', async () => {
    const ingress = await api.admin.create('/agent_ingresses', { domain: 'Connect.Example.com' });
    expect(ingress).toMatchObject({
      uri: `/agent_ingresses/${ingress.id}`,
      domain: 'connect.example.com',
      ns_targets: ['ns-a.waybill.test', 'ns-b.waybill.test'],
      region_domains: ['eu.connect.example.com', 'us.connect.example.com'],
      certificate_management_policy: null,
      certificate_management_status: null,
    });
    const [event] = (await api.admin.get('/events?type=agent_ingress_created.v0&limit=1')).body.events as {
      payload: { object: unknown };
    }[];
    expect(event?.payload.object).toEqual((await api.admin.get(ingress.path)).body);
  });

  it('has RSA keys by default', async () => {
    const { path, ...ingress } = await api.admin.create('/agent_ingresses', {
      domain: 'rsa.example.com',
      certificate_management_policy: { authority: 'letsencrypt' },
    });
    expect(ingress).toMatchObject({
      certificate_management_policy: { authority: 'letsencrypt', private_key_type: 'rsa' },
      certificate_management_status: { renews_at: null, provisioning_job: { error_code: null } },
    });
    const off = await api.admin.patch(path, { certificate_management_policy: null });
    expect(off.body).toMatchObject({
      certificate_management_policy: null,
      certificate_management_status: null,
    });
  });

  it('keeps the members of its policy that an update omits', async () => {
    const { path } = await api.admin.create('/agent_ingresses', {
      domain: 'keeps.example.com',
      certificate_management_policy: { private_key_type: 'ecdsa' },
    });
    const policy = async (change: unknown) =>
      (await api.admin.patch(path, { certificate_management_policy: change })).body.certificate_management_policy;
    expect(await policy({ authority: 'letsencrypt' })).toEqual({ authority: 'letsencrypt', private_key_type: 'ecdsa' });
    expect(await policy({ private_key_type: 'rsa' })).toEqual({ authority: 'letsencrypt', private_key_type: 'rsa' });
    expect(await policy(null)).toBeNull();
    expect(await policy({})).toEqual({ authority: 'letsencrypt', private_key_type: 'rsa' });
  });

  it('has a unique domain that cannot change', async () => {
    const { path } = await api.admin.create('/agent_ingresses', { domain: 'own.example.com' });
    const stranger = await api.addAccount();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => stranger.post('/agent_ingresses', { domain: 'OWN.example.com' })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([409]));
    expect((await api.admin.patch(path, { domain: 'other.example.com' })).status).toBe(400);
  });

  it.each(['*.example.com', 'waybill.test', 'mine.waybill.test', 'localhost', '192.0.2.1'])(
    'is refused for %s',
    async (domain) => {
      const response = await api.admin.post('/agent_ingresses', { domain });
      expect(response.status).toBe(400);
      expect(response.body.errors).toMatchObject([{ pointer: '/domain' }]);
    },
  );
});
