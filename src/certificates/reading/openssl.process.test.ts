import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { derCertificate } from '../../../test/support/der.js';
import { makeCertificate } from '../../../tools/harness/certificates.js';
import { ThreadTimeout } from '../../timing/deadline-thread.js';
import { CertificateReader } from './certificate-reader.js';
import { opensslThread } from './openssl.js';

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

let openssl: ReturnType<typeof opensslThread>;
afterEach(() => openssl.close());

describe('the thread of OpenSSL', () => {
  it('checks many certificates, one after another', async () => {
    openssl = opensslThread();
    const results = await Promise.all(Array.from({ length: 20 }, () => openssl.run(input)));
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ kind: 'accepted', isAuthority: false })));
    expect(await openssl.run({ ...input, certificates: [certificate, Buffer.from('x')] })).toEqual({
      kind: 'certificate_unreadable',
      index: 1,
    });
  });

  it('is ended and replaced when a check exceeds the limit', async () => {
    openssl = opensslThread(2_000, busyThread);
    const idOf = async () => openssl.run({ certificates: [], key: null });
    const before = await idOf();
    expect(await idOf()).toEqual(before);
    const late = openssl.run(input);
    const waiting = idOf();
    await expect(late).rejects.toThrow(ThreadTimeout);
    expect(await waiting).not.toEqual(before);
  });

  it('that is too slow makes the certificate invalid', async () => {
    openssl = opensslThread(300, busyThread);
    const made = await makeCertificate();
    await expect(new CertificateReader(openssl).readPair(made.certificate, made.key)).rejects.toMatchObject({
      errors: [{ pointer: '/private_key_pem', detail: 'takes too long to check' }],
    });
  });

  it('is replaced when it fails', async () => {
    openssl = opensslThread(300, new URL(`data:text/javascript,${encodeURIComponent('throw new Error("broken")')}`));
    await expect(openssl.run(input)).rejects.toThrow('broken');
    await expect(openssl.run(input)).rejects.toThrow('broken');
  });
});
