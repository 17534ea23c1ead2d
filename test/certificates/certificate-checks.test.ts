import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { unattended } from '../../src/maintenance/maintenance.js';
import { CertificateChecks } from '../../src/resources/managed-certificates/certificate-checks.js';
import { ManagedCertificates } from '../../src/resources/managed-certificates/managed-certificates.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import type { Service } from '../../src/service.js';
import { makeCertificate } from '../../tools/harness/certificates.js';
import { TestClient, type Created, type JsonObject } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { DnsServer } from '../support/dns-server.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';

/** The certificate status of a resource, from GET. */
interface Status {
  readonly renews_at: string | null;
  readonly provisioning_job: {
    readonly error_code: string | null;
    readonly msg: string;
    readonly started_at: string;
    readonly retries_at: string | null;
  } | null;
}

let dns: DnsServer;
let store: Store;
let service: Service;
let admin: TestClient;
let checks: CertificateChecks;
let certificates: ManagedCertificates;
let domainNumber = 0;

beforeAll(async () => {
  [dns, store] = await Promise.all([DnsServer.start(), createTestStore()]);
  // Without a worker: each test says when the checks that are due are made.
  service = await startTestService(store.connectionString, {
    ROLES: 'api',
    RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_DOMAINS: 'waybill.test',
    DNS_SERVERS: dns.address,
    PUBLIC_URL: 'https://api.example.com',
    CERTIFICATE_BACKOFF_BASE_MS: '200',
    CERTIFICATE_BACKOFF_CAP_MS: '400',
  });
  admin = new TestClient(service.url, ADMIN_KEY);
  checks = service.app.get(CertificateChecks);
  certificates = service.app.get(ManagedCertificates);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([store.close(), dns.close()]);
});

function name(): string {
  domainNumber += 1;
  return `d${domainNumber}.example.com`;
}

const managed = (domain: string): Promise<Created> =>
  admin.create('/reserved_domains', { domain, certificate_management_policy: {} });

async function statusOf({ path }: Created): Promise<Status> {
  return (await admin.get(path)).body.certificate_management_status as Status;
}

/** Makes the checks that are due, until one has this result. */
const until = (created: Created, code: string | null, words: string): Promise<Status> =>
  vi.waitFor(
    async () => {
      await checks.run(unattended);
      const status = await statusOf(created);
      expect(status.provisioning_job?.error_code).toBe(code);
      expect(status.provisioning_job?.msg).toContain(words);
      return status;
    },
    { timeout: 60_000, interval: 50 },
  );

async function eventsOf(type: string, { id }: Created): Promise<readonly JsonObject[]> {
  const { body } = await admin.get(`/events?type=${type}&limit=100`);
  return (body.events as { payload: JsonObject }[])
    .map(({ payload }) => payload)
    .filter(({ object }) => (object as JsonObject).id === id);
}

it('reports missing DNS records and the next retry, and continues when the records exist', async () => {
  const domain = await managed(name());
  const { provisioning_job: failing } = await until(domain, 'DNS_ERROR', 'has no CNAME record');
  expect(failing?.msg).toContain(String(domain.cname_target));
  expect(Date.parse(failing?.retries_at ?? '')).toBeGreaterThan(Date.parse(failing?.started_at ?? ''));
  dns.records.set(String(domain.domain), { CNAME: String(domain.cname_target) });
  const { provisioning_job: ready } = await until(domain, null, 'is being issued');
  expect(ready).toMatchObject({ started_at: failing?.started_at, retries_at: null });
});

it('emits an event for each change, with the service as principal', async () => {
  const domain = await managed(name());
  await until(domain, 'DNS_ERROR', 'CNAME');
  const event = (await eventsOf('reserved_domain_updated.v0', domain)).at(-1);
  expect(event).toMatchObject({
    principal: { id: 'system', subject: 'system:certificates', credential: null },
    request: { operation_id: expect.stringMatching(/^op_/) as string, ip: null, user_agent: null },
    object: { uri: `https://api.example.com/reserved_domains/${domain.id}` },
    changes: {
      before: { certificate_management_status: { provisioning_job: { error_code: null } } },
      after: { certificate_management_status: { provisioning_job: { error_code: 'DNS_ERROR' } } },
    },
  });
  const { after } = (event?.changes ?? {}) as { after?: JsonObject };
  expect(Object.keys(after ?? {})).toEqual(['certificate_management_status']);
});

it('fails temporarily when the name server fails', async () => {
  const domain = name();
  dns.records.set(domain, 'servfail');
  const { provisioning_job: job } = await until(await managed(domain), 'INTERNAL_ERROR', 'ESERVFAIL');
  expect(job?.retries_at).not.toBeNull();
});

it('checks the _acme-challenge host of a wildcard', async () => {
  const base = name();
  const domain = await managed(`*.${base}`);
  await until(domain, 'DNS_ERROR', `_acme-challenge.${base}`);
  dns.records.set(`_acme-challenge.${base}`, { CNAME: String(domain.acme_challenge_cname_target) });
  await until(domain, null, 'is being issued');
  expect(new Set(dns.asked.filter((question) => question.endsWith(base)))).toEqual(
    new Set([`CNAME _acme-challenge.${base}`]),
  );
});

it('checks no DNS records for subdomains of a service-owned domain', async () => {
  const domain = await managed(`d${randomBytes(4).toString('hex')}.waybill.test`);
  await until(domain, null, 'is being issued');
  expect(dns.asked.filter((question) => question.endsWith(String(domain.domain)))).toEqual([]);
});

it('checks the name servers of an agent ingress', async () => {
  const ingress = await admin.create('/agent_ingresses', {
    domain: name(),
    certificate_management_policy: {},
  });
  await until(ingress, 'DNS_ERROR', 'has no NS records');
  dns.records.set(String(ingress.domain), { NS: ingress.ns_targets as string[] });
  await until(ingress, null, 'is being issued');
  expect(await eventsOf('agent_ingress_updated.v0', ingress)).not.toEqual([]);
});

it('records one result when two processes check a name at once', async () => {
  const domain = await managed(name());
  const seen = (await certificates.find(domain.id)) ?? expect.unreachable();
  const failure = { code: 'DNS_ERROR', message: 'There is no CNAME record.' } as const;
  const next = [await certificates.recordCheck(seen, failure), await certificates.recordCheck(seen, failure)];
  expect(next).toEqual([expect.any(String), null]);
  expect(await eventsOf('reserved_domain_updated.v0', domain)).toHaveLength(1);
});

it('ends at a stop while a name server is silent, and records no result', async () => {
  const domain = await managed(name());
  dns.records.set(String(domain.domain), 'silent');
  const stop = new AbortController();
  const turn = checks.run({ ...unattended, stopped: stop.signal });
  await vi.waitFor(() => expect(dns.asked).toContain(`CNAME ${String(domain.domain)}`), 60_000);
  const stoppedAt = performance.now();
  stop.abort();
  await turn;
  // A query without a response ends after 16 s.
  expect(performance.now() - stoppedAt).toBeLessThan(15_000);
  expect(await eventsOf('reserved_domain_updated.v0', domain)).toEqual([]);
  dns.records.delete(String(domain.domain));
});

it('restarts at once when a client changes the policy, and ends when the policy is removed', async () => {
  const domain = await managed(name());
  await until(domain, 'DNS_ERROR', 'CNAME');
  await admin.patch(domain.path, { certificate_management_policy: null });
  await checks.run(unattended);
  expect(await statusOf(domain)).toBeNull();
  await admin.patch(domain.path, { certificate_management_policy: { private_key_type: 'rsa' } });
  await until(domain, 'DNS_ERROR', 'CNAME');
});

it('installs an issued certificate, seals its key, and replaces it with the next', async () => {
  const domain = await managed(name());
  const first = await makeCertificate({ dnsNames: [String(domain.domain)] });
  const report = (made: { certificate: string; key: string }) =>
    certificates.reportCertificate(domain.id, {
      issued: { certificate_pem: made.certificate, private_key_pem: made.key },
    });
  await report(first);
  const one = (await admin.get(domain.path)).body;
  expect(one.certificate_management_status).toEqual({
    renews_at: '2026-03-02T00:00:00.000Z',
    provisioning_job: null,
  });
  const certificate = one.certificate as { id: string };
  const shown = await admin.get(`/tls_certificates/${certificate.id}`);
  expect(shown.body).toMatchObject({
    certificate_pem: first.certificate,
    issued_at: expect.any(String) as string,
    subject_alternative_names: { dns_names: [domain.domain] },
  });
  const account = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const sealed = await service.app.get(SecretStore).load(store.db, account.id, certificate.id);
  expect(sealed.get('private_key_pem')).toBe(first.key);
  expect((await admin.delete(`/tls_certificates/${certificate.id}`)).status).toBe(409);

  // A client that repeats the change which made the domain managed.
  await admin.patch(domain.path, { certificate_id: null, certificate_management_policy: {} });
  expect((await admin.get(domain.path)).body.certificate).toEqual(certificate);

  const before = await eventsOf('reserved_domain_updated.v0', domain);
  await report(first);
  await certificates.reportCertificate(domain.id, { failed: { message: 'This report is late.' } });
  expect(await eventsOf('reserved_domain_updated.v0', domain)).toHaveLength(before.length);

  await report(
    await makeCertificate({ dnsNames: [String(domain.domain)], notAfter: new Date('2027-01-01T00:00:00Z') }),
  );
  const two = (await admin.get(domain.path)).body;
  expect(two.certificate).not.toEqual(one.certificate);
  expect((await admin.get(`/tls_certificates/${certificate.id}`)).status).toBe(404);
});

it('renews a certificate that is due', async () => {
  const domain = await managed(name());
  dns.records.set(String(domain.domain), { CNAME: String(domain.cname_target) });
  await until(domain, null, 'is being issued');
  const old = await makeCertificate({
    dnsNames: [String(domain.domain)],
    notBefore: new Date('2020-01-01T00:00:00Z'),
    notAfter: new Date('2020-04-01T00:00:00Z'),
  });
  await certificates.reportCertificate(domain.id, {
    issued: { certificate_pem: old.certificate, private_key_pem: old.key },
  });
  const status = await until(domain, null, 'is being issued');
  expect(status.renews_at).toBe('2020-03-01T16:00:00.000Z');
});

it('reports that issuing failed, and retries', async () => {
  const domain = await managed(name());
  dns.records.set(String(domain.domain), { CNAME: String(domain.cname_target) });
  await until(domain, null, 'is being issued');
  await certificates.reportCertificate(domain.id, { failed: { message: 'The authority is busy.' } });
  const { provisioning_job: job } = await until(domain, 'INTERNAL_ERROR', 'The authority is busy.');
  expect(job?.retries_at).not.toBeNull();
  await until(domain, null, 'is being issued');
});

it('fails without a report in time, and retries', async () => {
  const domain = await managed(name());
  dns.records.set(String(domain.domain), { CNAME: String(domain.cname_target) });
  await until(domain, null, 'is being issued');
  await store.pool.query(
    `update resources set attributes = jsonb_set(attributes, '{provisioning,due_at}', to_jsonb($2::text)) where id = $1`,
    [domain.id, new Date().toISOString()],
  );
  const shownJobs = async (): Promise<Status['provisioning_job'][]> => {
    const events = await eventsOf('reserved_domain_updated.v0', domain);
    const statuses = events.map(({ object }) => (object as JsonObject).certificate_management_status as Status);
    return statuses.map(({ provisioning_job: job }) => job).toReversed();
  };
  const failing = { error_code: 'INTERNAL_ERROR', msg: expect.stringContaining('within 600 seconds') as string };
  const retried = { error_code: null, retries_at: null, msg: expect.stringContaining('is being issued') as string };
  await vi.waitFor(
    async () => {
      await checks.run(unattended);
      expect((await shownJobs()).slice(1)).toMatchObject([
        { ...failing, retries_at: expect.any(String) as string },
        retried,
      ]);
    },
    { timeout: 60_000, interval: 50 },
  );
});

it('accepts only certificates of the policy for the domain, or for every regional domain of an ingress', async () => {
  const report = async ({ id }: Created, dnsNames: readonly string[], rsa = false) => {
    const { certificate, key } = await makeCertificate({ dnsNames, rsa });
    await certificates.reportCertificate(id, { issued: { certificate_pem: certificate, private_key_pem: key } });
  };
  const refusal = { errors: [{ pointer: '/issued/certificate_pem' }] };
  const domain = await managed(name());
  await expect(report(domain, ['other.example.com'])).rejects.toMatchObject(refusal);
  await expect(report(domain, [])).rejects.toMatchObject(refusal);
  await expect(report(domain, ['*.example.com'], true)).rejects.toMatchObject(refusal);
  expect((await admin.get(domain.path)).body.certificate).toBeNull();
  await report(domain, ['*.example.com']);
  const ingress = await admin.create('/agent_ingresses', { domain: name(), certificate_management_policy: {} });
  const [region = ''] = ingress.region_domains as string[];
  await expect(report(ingress, [region], true)).rejects.toMatchObject(refusal);
  await report(ingress, [`*.${String(ingress.domain)}`], true);
  expect((await statusOf(ingress)).provisioning_job).toBeNull();
});

it('leaves no certificate in use when an ingress is no longer managed', async () => {
  const ingress = await admin.create('/agent_ingresses', { domain: name(), certificate_management_policy: {} });
  const { certificate, key } = await makeCertificate({ dnsNames: [`*.${String(ingress.domain)}`], rsa: true });
  const report = () =>
    certificates.reportCertificate(ingress.id, { issued: { certificate_pem: certificate, private_key_pem: key } });
  await report();
  const newest = await admin.get('/events?type=tls_certificate_created.v0&limit=1');
  const [created] = newest.body.events as readonly { readonly resource_id: string }[];
  const path = `/tls_certificates/${created?.resource_id}`;
  expect((await admin.delete(path)).status).toBe(409);
  await admin.patch(ingress.path, { certificate_management_policy: null });
  expect((await admin.delete(path)).status).toBe(204);
  await admin.patch(ingress.path, { certificate_management_policy: {} });
  await report();
  expect((await statusOf(ingress)).provisioning_job).toBeNull();
});

it('accepts reports only for managed certificates, and only with the matching key', async () => {
  const [one, other] = [await makeCertificate(), await makeCertificate()];
  const issued = { certificate_pem: one.certificate, private_key_pem: one.key };
  const plain = await admin.create('/reserved_domains', { domain: name() });
  await expect(certificates.reportCertificate(plain.id, { issued })).rejects.toMatchObject({ code: 'conflict' });
  await expect(certificates.reportCertificate('rd_unknown', { issued })).rejects.toMatchObject({
    code: 'not_found',
  });
  const domain = await managed(name());
  const mixed = { ...issued, private_key_pem: other.key };
  await expect(certificates.reportCertificate(domain.id, { issued: mixed })).rejects.toMatchObject({
    errors: [{ pointer: '/issued/private_key_pem', detail: 'does not match the certificate' }],
  });
  expect((await admin.get(domain.path)).body.certificate).toBeNull();
});
