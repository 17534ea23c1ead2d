import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  der,
  derCertificate,
  dsaKey,
  ecKey,
  ecPkcs8,
  integer,
  numberOf,
  objectId,
  pem,
  pkcs8,
  RSA,
  rsaKey,
} from '../../../test/support/der.js';
import { makeCertificate } from '../../../tools/harness/certificates.js';
import { CertificateReader } from './certificate-reader.js';

const reader = new CertificateReader();
afterAll(() => reader.close());

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pairOf = (wish: Omit<Parameters<typeof derCertificate>[0], 'publicKey'>) =>
  [
    pem('CERTIFICATE', derCertificate({ publicKey: spkiOf(ec.publicKey), ...wish })),
    ec.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ] as const;

describe('a certificate', () => {
  it('is read with its names, validity, usages, serial number and fingerprint', async () => {
    const { certificate, key } = await makeCertificate({
      name: 'CN=app.example.com, O=Example, C=DE',
      dnsNames: ['app.example.com', '*.example.com'],
      ips: ['192.0.2.7', '2001:db8::1'],
    });
    const raw = Buffer.from(certificate.replaceAll(/-----[^-]*-----/g, ''), 'base64');
    expect(await reader.readPair(`some words before\n${certificate}`, key)).toEqual({
      subject: {
        commonName: 'app.example.com',
        organization: 'Example',
        organizationalUnit: null,
        locality: null,
        province: null,
        country: 'DE',
      },
      issuerCommonName: 'app.example.com',
      dnsNames: ['app.example.com', '*.example.com'],
      ips: ['192.0.2.7', '2001:db8::1'],
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2026-04-01T00:00:00Z'),
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['serverAuth', '1.2.3.4'],
      keyType: 'ecdsa',
      serialNumber: '0a1b2c',
      fingerprint: createHash('sha256').update(raw).digest('hex'),
      isAuthority: false,
    });
  });

  it('is the first one of a chain', async () => {
    const [leaf, authority] = [await makeCertificate({ name: 'CN=leaf' }), await makeCertificate({ authority: true })];
    const read = await reader.readPair(`${leaf.certificate}${authority.certificate}`, leaf.key);
    expect(read).toMatchObject({ subject: { commonName: 'leaf' }, isAuthority: false });
  });

  it.each([
    ['', 'must be a certificate in PEM'],
    ['hello', 'must be a certificate in PEM'],
    [pem('CERTIFICATE', Buffer.from([0, 0, 0])), 'holds a certificate that cannot be read'],
    [pem('CERTIFICATE', Buffer.alloc(0)), 'holds a certificate that cannot be read'],
    [pem('PRIVATE KEY', Buffer.from([0, 0, 0])), 'must hold only certificates, but holds a private key'],
    [
      `${pem('CERTIFICATE', Buffer.from([0]))}${pem('PRIVATE KEY', Buffer.from([0])).replace('-----\n', '----\n')}`,
      'damaged',
    ],
    [`${pem('CERTIFICATE', Buffer.from([0]))}-----BEGIN PRIVATE KEY-----\nMC4CAQAw`, 'damaged'],
  ])('is refused when the PEM text is %j', async (text, message) => {
    const { key } = await makeCertificate();
    await expect(reader.readPair(text, key)).rejects.toThrow(message);
  });

  it('is refused when OpenSSL cannot read it, with its number in the chain', async () => {
    const { certificate, key } = await makeCertificate();
    const truncated = derCertificate({ publicKey: spkiOf(ec.publicKey) });
    // The signature is a bit string of DER; an empty one has not even the number of unused bits.
    const broken = der(0x30, truncated.subarray(6, -78), der(0x30), der(0x03));
    const chain = `${certificate}${pem('CERTIFICATE', broken)}`;
    await expect(reader.readPair(chain, key)).rejects.toThrow('certificate number 2 that cannot be read');
  });

  it('is refused in a chain of a hundred', async () => {
    const { certificate, key } = await makeCertificate();
    await expect(reader.readPair(certificate.repeat(100), key)).rejects.toThrow('more than 10');
  });

  it.each([
    ['UTF8String', der(0x0c, Buffer.from('Gerät', 'utf8')), 'Gerät'],
    ['TeletexString', der(0x14, 'Ger\xe4t'), 'Gerät'],
    ['BMPString', der(0x1e, Buffer.from('Gerät', 'utf16le').swap16()), 'Gerät'],
    ['UniversalString', der(0x1c, Buffer.from([0, 0, 0, 0x47, 0, 1, 0xf6, 0])), 'G😀'],
  ])('has a common name of the type %s', async (_, commonName, text) => {
    expect((await reader.readPair(...pairOf({ commonName }))).subject.commonName).toBe(text);
  });

  it.each([
    ['NUL in its common name', { commonName: der(0x0c, 'bank.example\0.evil.example') }],
    ['an unpaired surrogate in its common name', { commonName: der(0x1e, Buffer.from([0xd8, 0])) }],
    ['a common name that is not UTF-8', { commonName: der(0x0c, '\xff') }],
    ['a common name that is not text', { commonName: der(0x05) }],
    ['NUL in a host name', { dnsNames: ['bank.example\0.evil.example'] }],
    ['an impossible date', { notAfter: der(0x17, '260231000000Z') }],
    ['a date without seconds', { notBefore: der(0x17, '2601010000Z') }],
    ['a date that is not a date', { notBefore: der(0x17, 'yesterday') }],
    ['a date of another type', { notBefore: der(0x13, '260101000000Z') }],
  ])('is refused with %s', async (_, wish) => {
    await expect(reader.readPair(...pairOf(wish))).rejects.toThrow('holds a certificate that cannot be read');
  });

  it('may begin before 2000 and end after 2050', async () => {
    const read = await reader.readPair(
      ...pairOf({ notBefore: der(0x17, '991231235959Z'), notAfter: der(0x18, '99991231235959Z') }),
    );
    expect(read.notBefore).toEqual(new Date('1999-12-31T23:59:59Z'));
    expect(read.notAfter).toEqual(new Date('9999-12-31T23:59:59Z'));
  });

  it('never fails with another error, whatever bytes are changed', async () => {
    const whole = derCertificate({ publicKey: spkiOf(ec.publicKey), dnsNames: ['a.example', 'b.example'] });
    const key = ec.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const { at, byte } of changes) bytes[at] = byte;
        await reader.readPair(pem('CERTIFICATE', bytes), key).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'invalid_input' });
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('the certificate of an authority', () => {
  it('is read, and must be the only one', async () => {
    const { certificate } = await makeCertificate({ authority: true });
    const read = await reader.readAuthority(certificate);
    expect(read).toMatchObject({ isAuthority: true, keyUsages: ['keyCertSign', 'cRLSign'] });
    await expect(reader.readAuthority(certificate.repeat(2))).rejects.toThrow('exactly one certificate, but holds 2');
  });

  it('must be allowed to sign', async () => {
    const { certificate } = await makeCertificate();
    await expect(reader.readAuthority(certificate)).rejects.toThrow('is not the certificate of an authority');
  });

  it('must have a supported key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
    expect(privateKey.asymmetricKeyType).toBe('dsa');
    const certificate = pem('CERTIFICATE', derCertificate({ publicKey: spkiOf(publicKey) }));
    await expect(reader.readAuthority(certificate)).rejects.toThrow('with an unsupported key: it must be an RSA key');
  });
});

describe('the private key of a certificate', () => {
  it.each([{ rsa: true }, { rsa: false }])('is matched with its certificate (%o)', async (wish) => {
    const [mine, other] = [await makeCertificate(wish), await makeCertificate(wish)];
    const read = (key: string) => reader.readPair(mine.certificate, key);
    expect((await read(mine.key)).keyType).toBe(wish.rsa ? 'rsa' : 'ecdsa');
    await expect(read(other.key)).rejects.toThrow('does not match the certificate');
    await expect(read('secret')).rejects.toThrow('must be a private key in PEM');
    await expect(read(mine.key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'))).rejects.toThrow('passphrase');
  });

  it.each([
    ['RSA in PKCS #1', 'rsa', 'pkcs1'],
    ['EC in SEC 1', 'ec', 'sec1'],
    ['Ed25519 in PKCS #8', 'ed25519', 'pkcs8'],
  ] as const)('may be %s', async (_, algorithm, form) => {
    const { publicKey, privateKey } =
      algorithm === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : algorithm === 'ec'
          ? generateKeyPairSync('ec', { namedCurve: 'P-384' })
          : generateKeyPairSync('ed25519');
    const certificate = pem('CERTIFICATE', derCertificate({ publicKey: spkiOf(publicKey) }));
    const key = privateKey.export({ type: form, format: 'pem' }).toString();
    // OpenSSL writes the parameters of a curve before its key.
    const text = form === 'sec1' ? `${pem('EC PARAMETERS', objectId('2b81040022'))}${key}` : key;
    await expect(reader.readPair(certificate, text)).resolves.toMatchObject({ dnsNames: [] });
  });

  const rsaAlgorithm = der(0x30, objectId(RSA), der(0x05));
  it.each([
    ['a DSA key of 7 KB', 'PRIVATE KEY', dsaKey(7_000), 'must be an RSA key'],
    ['an RSA key of 80,000 bits', 'RSA PRIVATE KEY', rsaKey(10_000), 'must be an RSA key'],
    ['an RSA key of 512 bits', 'RSA PRIVATE KEY', rsaKey(64), 'must be an RSA key'],
    ['an RSA key of 80,000 bits in PKCS #8', 'PRIVATE KEY', pkcs8(rsaAlgorithm, rsaKey(10_000)), 'must be an RSA key'],
    ['an RSA key with an exponent of 2,048 bits', 'RSA PRIVATE KEY', rsaKey(256, numberOf(256)), 'must be an RSA key'],
    ['an RSA key of three primes', 'RSA PRIVATE KEY', rsaKey(256, Buffer.from([3]), '\x01'), 'must be an RSA key'],
    [
      'an EC key with a curve of its own',
      'EC PRIVATE KEY',
      ecKey(der(0x30, integer(numberOf(32)))),
      'must be a private key',
    ],
    ['an EC key with another curve', 'EC PRIVATE KEY', ecKey(objectId('2b8104000a')), 'must be an RSA key'],
    ['an EC key with a curve of its own in PKCS #8', 'PRIVATE KEY', ecPkcs8(ecKey(), der(0x30)), 'must be an RSA key'],
    ['an EC key in PKCS #8 with two curves', 'PRIVATE KEY', ecPkcs8(ecKey(der(0x30))), 'must be a private key'],
    ['an EC key of 16,000 bits', 'EC PRIVATE KEY', ecKey(undefined, numberOf(2_000)), 'must be a private key'],
    ['no DER', 'PRIVATE KEY', Buffer.from([0x30, 0x80]), 'must be a private key in PEM'],
    ['a DSA key of another form', 'DSA PRIVATE KEY', dsaKey(100), 'must be a private key in PEM'],
  ])('is refused before OpenSSL sees it: %s', async (_, label, key, message) => {
    const { certificate } = await makeCertificate();
    const unseen = new CertificateReader({
      run: () => Promise.reject(new Error('OpenSSL saw the key')),
      close: () => Promise.resolve(),
    });
    await expect(unseen.readPair(certificate, pem(label, key))).rejects.toMatchObject({
      errors: [{ pointer: '/private_key_pem', detail: expect.stringContaining(message) as string }],
    });
  });
});
