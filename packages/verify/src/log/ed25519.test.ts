import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies, verifiesPortably } from './ed25519.js';
import { isSignedBy, noteKey } from './note-key.js';
import { signatures } from './testing.js';

/** The signatures that are accepted. */
const accepted = ['signed', 'with a nonce of 0', 'of a key with a point of small order added, which the hash removes'];

describe('a signature', () => {
  it.each(signatures())('$name is accepted only if docs/proof.md says so, with and without Node', (one) => {
    const { name, publicKey, message, signature } = one;
    const isAccepted = accepted.includes(name);
    expect(verifies(publicKey, message, signature)).toBe(isAccepted);
    expect(verifiesPortably(publicKey, message, signature)).toBe(isAccepted);
    const text = Buffer.from(message).toString();
    expect(isSignedBy(noteKey('waybill.example.com', publicKey), text, signature)).toBe(isAccepted);
  });

  it("of a key of small order is one by Node's own check", () => {
    const ofSmall = signatures().filter(({ name }) => /of small order \(|neutral/.test(name));
    expect(ofSmall).toHaveLength(10);
    for (const { name, publicKey, message, signature } of ofSmall) {
      const x = Buffer.from(publicKey).toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      expect(verify(null, message, key, signature), name).toBe(true);
    }
  });
});
