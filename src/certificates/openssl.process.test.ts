import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../test/support/certificates.js';
import { derCertificate } from '../../test/support/der.js';
import { CertificateReader } from './certificate-reader.js';
import { Openssl, OpensslTimeout } from './openssl.js';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const certificate = derCertificate({ publicKey: publicKey.export({ type: 'spki', format: 'der' }) });
const input = { certificates: [certificate], key: null };

/** A thread that computes for ever when it gets certificates, and responds to an empty list with its own id. */
const busyThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ certificates }) => {
      while (certificates.length > 0);
      parentPort.postMessage({ kind: 'certificate_unreadable', index: threadId });
    });
    parentPort.postMessage('ready');`)}`,
);

let openssl: Openssl;
afterEach(() => openssl.close());

describe('the thread of OpenSSL', () => {
  it('checks many certificates, one after another', async () => {
    openssl = new Openssl();
    const results = await Promise.all(Array.from({ length: 20 }, () => openssl.check(input)));
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ kind: 'accepted', isAuthority: false })));
    expect(await openssl.check({ ...input, certificates: [certificate, Buffer.from('x')] })).toEqual({
      kind: 'certificate_unreadable',
      index: 1,
    });
  });

  it('is ended and replaced when a check exceeds the limit', async () => {
    openssl = new Openssl(300, busyThread);
    const idOf = async () => openssl.check({ certificates: [], key: null });
    const before = await idOf();
    expect(await idOf()).toEqual(before);
    const late = openssl.check(input);
    const waiting = idOf();
    await expect(late).rejects.toThrow(OpensslTimeout);
    expect(await waiting).not.toEqual(before);
  });

  it('that is too slow makes the certificate invalid', async () => {
    openssl = new Openssl(300, busyThread);
    const made = await makeCertificate();
    await expect(new CertificateReader(openssl).readPair(made.certificate, made.key)).rejects.toMatchObject({
      name: 'CertificateError',
      message: 'takes too long to check',
    });
  });

  it('is replaced when it fails', async () => {
    openssl = new Openssl(300, new URL(`data:text/javascript,${encodeURIComponent('throw new Error("broken")')}`));
    await expect(openssl.check(input)).rejects.toThrow('broken');
    await expect(openssl.check(input)).rejects.toThrow('broken');
  });
});
