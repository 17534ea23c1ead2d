import { randomBytes } from 'node:crypto';

/** Claims of an access token. */
export interface Claims {
  readonly tenantId: string;
  readonly clientId: string;
  readonly audience: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Issues access tokens in the form of Entra (JWT), and knows their claims. Their signature is random. */
export class AccessTokens {
  private readonly issued = new Map<string, Claims>();

  issue(claims: Claims): string {
    const { tenantId, clientId, audience, expiresAt } = claims;
    const head = part({ typ: 'JWT', alg: 'HS256' });
    const body = part({ aud: audience, appid: clientId, tid: tenantId, exp: expiresAt });
    const token = `${head}.${body}.${randomBytes(32).toString('base64url')}`;
    this.issued.set(token, claims);
    return token;
  }

  /** Returns the claims of a token that this object issued, expired or not; undefined for any other text. */
  read(token: string): Claims | undefined {
    return this.issued.get(token);
  }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
