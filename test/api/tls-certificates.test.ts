import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../tools/harness/certificates.js';
import { der, derCertificate, dsaKey, pem } from '../support/der.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('a TLS certificate', () => {
  it('returns the fields of the certificate, and never the key', async () => {
    const { certificate, key } = await makeCertificate({
      name: 'CN=app.example.com, O=Example, OU=Web, L=Berlin, ST=Berlin, C=DE',
      dnsNames: ['app.example.com', '*.example.com'],
      ips: ['192.0.2.7'],
      rsa: true,
    });
    const created = await api.admin.create('/tls_certificates', {
      certificate_pem: certificate,
      private_key_pem: key,
    });
    expect(created).toMatchObject({
      description: null,
      certificate_pem: certificate,
      subject_common_name: 'app.example.com',
      subject_alternative_names: { dns_names: ['app.example.com', '*.example.com'], ips: ['192.0.2.7'] },
      issued_at: null,
      not_before: '2026-01-01T00:00:00.000Z',
      not_after: '2026-04-01T00:00:00.000Z',
      key_usages: ['digitalSignature'],
      extended_key_usages: ['serverAuth', '1.2.3.4'],
      private_key_type: 'rsa',
      issuer_common_name: 'app.example.com',
      serial_number: '0a1b2c',
      subject_organization: 'Example',
      subject_organizational_unit: 'Web',
      subject_locality: 'Berlin',
      subject_province: 'Berlin',
      subject_country: 'DE',
    });
    const responses = [
      await api.admin.get(created.path),
      await api.admin.get('/tls_certificates'),
      await api.admin.get('/events?type=tls_certificate_created.v0'),
      await api.admin.patch(created.path, { description: 'new' }),
    ];
    const inner = key.split('\n')[1] ?? 'no key';
    for (const { text } of responses) expect(text).not.toContain(inner);
    const rows = await api.store.db.selectFrom('resources').select('attributes').where('id', '=', created.id).execute();
    expect(JSON.stringify(rows)).not.toContain(inner);
  });

  it('accepts a chain, and describes its first certificate', async () => {
    const [leaf, authority] = [await makeCertificate(), await makeCertificate({ authority: true, name: 'CN=root' })];
    const created = await api.admin.create('/tls_certificates', {
      certificate_pem: leaf.certificate + authority.certificate,
      private_key_pem: leaf.key,
    });
    expect(created.subject_common_name).toBe('test');
  });

  it('is refused with another key, and the error names each unreadable field', async () => {
    const [mine, other] = [await makeCertificate(), await makeCertificate()];
    const post = (certificate_pem: string, private_key_pem: string) =>
      api.admin.post('/tls_certificates', { certificate_pem, private_key_pem });
    const mismatch = await post(mine.certificate, other.key);
    expect(mismatch.status).toBe(400);
    expect(mismatch.body.errors).toEqual([{ pointer: '/private_key_pem', detail: 'does not match the certificate' }]);
    expect((await post(mine.certificate, mine.certificate)).body.errors).toEqual([
      { pointer: '/private_key_pem', detail: 'must be a private key in PEM' },
    ]);
    expect((await post('hello', mine.key)).body.errors).toEqual([
      { pointer: '/certificate_pem', detail: 'must be a certificate in PEM' },
    ]);
    expect((await post(mine.key, mine.key)).body.errors).toMatchObject([{ pointer: '/certificate_pem' }]);
  });

  it('is refused with a key that OpenSSL would compute minutes with, and the API responds meanwhile', async () => {
    const { certificate } = await makeCertificate();
    const body = { certificate_pem: certificate, private_key_pem: pem('PRIVATE KEY', dsaKey(7_900)) };
    const [refused, other] = await Promise.all([
      api.admin.post('/tls_certificates', body),
      api.admin.get('/tls_certificates?limit=1'),
    ]);
    expect([refused.status, other.status]).toEqual([400, 200]);
    expect(refused.body.errors).toMatchObject([
      { pointer: '/private_key_pem', detail: expect.stringContaining('must be an RSA key') as string },
    ]);
  });

  it('is refused with NUL in a name', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const commonName = der(0x0c, 'bank.example\0.evil.example');
    const certificate = pem('CERTIFICATE', derCertificate({ publicKey: spki, commonName }));
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const [path, body, pointer] of [
      ['/tls_certificates', { certificate_pem: certificate, private_key_pem: key }, '/certificate_pem'],
      ['/certificate_authorities', { ca_pem: certificate }, '/ca_pem'],
    ] as const) {
      const { status, body: problem } = await api.admin.post(path, body);
      expect([status, problem.errors]).toEqual([400, [{ pointer, detail: 'holds a certificate that cannot be read' }]]);
    }
  });

  it('cannot be deleted while a domain uses it, and the error names the domain', async () => {
    const { certificate, key } = await makeCertificate({ dnsNames: ['uses-a-certificate.example.com'] });
    const cert = await api.admin.create('/tls_certificates', {
      certificate_pem: certificate,
      private_key_pem: key,
    });
    const domain = await api.admin.create('/reserved_domains', {
      domain: 'uses-a-certificate.example.com',
      certificate_id: cert.id,
    });
    expect(domain.certificate).toEqual({ id: cert.id, uri: cert.uri });
    const refused = await api.admin.delete(cert.path);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ error_code: 'still_referenced' });
    expect(refused.text).toContain(domain.id);
    expect((await api.admin.patch(domain.path, { certificate_id: null })).body.certificate).toBeNull();
    expect((await api.admin.delete(cert.path)).status).toBe(204);
  });
});

describe('a certificate authority', () => {
  it('returns its names, validity and usages', async () => {
    const { certificate } = await makeCertificate({ authority: true, name: 'CN=Root, O=Example' });
    expect(await api.admin.create('/certificate_authorities', { ca_pem: certificate })).toMatchObject({
      ca_pem: certificate,
      subject_common_name: 'Root',
      not_before: '2026-01-01T00:00:00.000Z',
      not_after: '2026-04-01T00:00:00.000Z',
      key_usages: ['keyCertSign', 'cRLSign'],
      extended_key_usages: ['serverAuth', '1.2.3.4'],
    });
  });

  it('has a null common name when its certificate has none', async () => {
    const { certificate } = await makeCertificate({ authority: true, name: 'O=Example' });
    const created = await api.admin.create('/certificate_authorities', { ca_pem: certificate });
    expect(created.subject_common_name).toBeNull();
  });

  it('is refused unless it is exactly one certificate of an authority', async () => {
    const [authority, other, leaf] = [
      await makeCertificate({ authority: true }),
      await makeCertificate({ authority: true }),
      await makeCertificate(),
    ];
    const detail = async (ca_pem: string) => {
      const response = await api.admin.post('/certificate_authorities', { ca_pem });
      expect(response.status).toBe(400);
      const [error] = response.body.errors as { pointer: string; detail: string }[];
      expect(error?.pointer).toBe('/ca_pem');
      return error?.detail;
    };
    expect(await detail('not a certificate')).toBe('must be a certificate in PEM');
    expect(await detail(leaf.key)).toContain('private key');
    expect(await detail(leaf.certificate)).toContain('is not the certificate of an authority');
    expect(await detail(authority.certificate + other.certificate)).toContain(
      'must hold exactly one certificate, but holds 2',
    );
    expect(await detail(authority.certificate.replace('MII', 'MIX'))).toContain('cannot be read');
  });
});
