// @ts-check
/**
 * The thread of `openssl.ts`. Plain JavaScript: a thread of Node loads it from `src` and from `dist` alike.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** @import { OpensslInput, OpensslResult } from './openssl.js' */

/**
 * @param {OpensslInput} input
 * @returns {OpensslResult}
 */
function check({ certificates, key }) {
  /** @type {X509Certificate[]} */
  const parsed = [];
  for (const der of certificates) {
    try {
      parsed.push(new X509Certificate(der));
    } catch {
      return { kind: 'certificate_unreadable', index: parsed.length };
    }
  }
  const [leaf] = parsed;
  if (!leaf) return { kind: 'certificate_unreadable', index: 0 };
  if (key) {
    try {
      const privateKey = createPrivateKey({ key: Buffer.from(key.der), format: 'der', type: key.form });
      if (!leaf.checkPrivateKey(privateKey)) return { kind: 'key_mismatch' };
    } catch {
      // The message of OpenSSL does not help a client, and no part of the key may get into a message.
      return { kind: 'key_unreadable' };
    }
  }
  return { kind: 'accepted', isAuthority: leaf.ca };
}

parentPort?.on('message', (/** @type {OpensslInput} */ input) => parentPort?.postMessage(check(input)));
parentPort?.postMessage('ready');
