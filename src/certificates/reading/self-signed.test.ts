import { createPrivateKey, createSign, createVerify, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeSigningPair } from './self-signed.js';

it('makes a self-signed certificate that is valid for ten years and for signatures only', async () => {
  const { certificate, privateKey } = await makeSigningPair('a-route');
  const x509 = new X509Certificate(certificate);
  expect(x509.verify(x509.publicKey)).toBe(true);
  expect([x509.subject, x509.issuer, x509.ca]).toEqual(['CN=a-route', 'CN=a-route', false]);
  expect(x509.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(new Date(x509.validTo).getUTCFullYear() - new Date(x509.validFrom).getUTCFullYear()).toBe(10);
  expect(x509.checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
  const signature = createSign('sha256').update('a request').sign(privateKey);
  expect(createVerify('sha256').update('a request').verify(x509.publicKey, signature)).toBe(true);
});

it('makes a different key pair on each call', async () => {
  const [one, other] = [await makeSigningPair('a'), await makeSigningPair('a')];
  expect(one.certificate).not.toBe(other.certificate);
  expect(one.privateKey).not.toBe(other.privateKey);
});
