import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isObject, parseJson } from '../protocol.js';

/** Claims of an access token. */
export interface Claims {
  readonly tenantId: string;
  readonly clientId: string;
  readonly audience: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Issues and verifies access tokens in the format of Entra (JWT). */
export class AccessTokens {
  private readonly key = randomBytes(32);
  private readonly known = new Map<string, Claims>();

  issue(claims: Claims): string {
    const { tenantId, clientId, audience, expiresAt } = claims;
    const body = `${part({ typ: 'JWT', alg: 'HS256' })}.${part({ aud: audience, appid: clientId, tid: tenantId, exp: expiresAt, jti: randomBytes(8).toString('hex') })}`;
    return `${body}.${this.sign(body).toString('base64url')}`;
  }

  /** Returns the claims of a token that this object issued, expired or not; undefined for any other text. */
  read(token: string): Claims | undefined {
    const known = this.known.get(token);
    if (known !== undefined) return known;
    const end = token.lastIndexOf('.');
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    const expected = this.sign(token.slice(0, end));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (!isObject(claims)) return undefined;
    const read = {
      tenantId: String(claims['tid']),
      clientId: String(claims['appid']),
      audience: String(claims['aud']),
      expiresAt: Number(claims['exp']),
    };
    if (this.known.size >= 1_000) this.known.clear();
    this.known.set(token, read);
    return read;
  }

  private sign(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
