import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../test/support/certificates.js';
import { readCertificates } from './certificate.js';
import { assertKeyOf } from './private-key.js';

describe('a certificate', () => {
  it('is read with its names, validity, usages, serial number and fingerprint', async () => {
    const { certificate } = await makeCertificate({
      name: 'CN=app.example.com, O=Example, C=DE',
      dnsNames: ['app.example.com', '*.example.com'],
      ips: ['192.0.2.7', '2001:db8::1'],
    });
    expect(readCertificates(`some words before\n${certificate}`)).toMatchObject([
      {
        subject: {
          commonName: 'app.example.com',
          organization: 'Example',
          organizationalUnit: null,
          country: 'DE',
        },
        issuerCommonName: 'app.example.com',
        dnsNames: ['app.example.com', '*.example.com'],
        ips: ['192.0.2.7', '2001:db8::1'],
        notBefore: new Date('2026-01-01T00:00:00Z'),
        notAfter: new Date('2026-04-01T00:00:00Z'),
        keyUsages: ['digitalSignature'],
        extendedKeyUsages: ['serverAuth', '1.2.3.4'],
        serialNumber: '0a1b2c',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        isAuthority: false,
      },
    ]);
  });

  it('of an authority has isAuthority set', async () => {
    const { certificate } = await makeCertificate({ authority: true });
    expect(readCertificates(certificate)).toMatchObject([{ isAuthority: true, keyUsages: ['keyCertSign', 'cRLSign'] }]);
  });

  it('is read from a chain in order', async () => {
    const [leaf, authority] = [await makeCertificate(), await makeCertificate({ authority: true })];
    const chain = readCertificates(`${leaf.certificate}${authority.certificate}`);
    expect(chain.map(({ isAuthority }) => isAuthority)).toEqual([false, true]);
  });

  it.each([
    ['', 'must be a certificate in PEM'],
    ['hello', 'must be a certificate in PEM'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'holds a certificate that cannot be read'],
    [
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
      'must hold only certificates, but holds a private key',
    ],
  ])('is refused when the PEM text is %j', (pem, message) => {
    expect(() => readCertificates(pem)).toThrow(message);
  });

  it('is refused in a chain of a hundred', async () => {
    const { certificate } = await makeCertificate();
    expect(() => readCertificates(certificate.repeat(100))).toThrow('more than 10');
  });
});

describe('the private key of a certificate', () => {
  it.each([{ rsa: true }, { rsa: false }])('is matched with its certificate (%o)', async (wish) => {
    const [mine, other] = [await makeCertificate(wish), await makeCertificate(wish)];
    const [certificate] = readCertificates(mine.certificate);
    if (!certificate) throw new Error('no certificate');
    expect(() => assertKeyOf(certificate.x509, mine.key)).not.toThrow();
    expect(() => assertKeyOf(certificate.x509, other.key)).toThrow('does not match the certificate');
    expect(() => assertKeyOf(certificate.x509, 'secret')).toThrow('must be a private key in PEM');
    expect(() => assertKeyOf(certificate.x509, mine.key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'))).toThrow(
      'passphrase',
    );
  });
});
