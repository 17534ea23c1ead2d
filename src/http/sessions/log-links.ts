import type { Authenticator, Caller } from '../../accounts/authenticator.js';
import { newId } from '../../ids/id.js';
import type { KeyRing } from '../../secrets/key-ring.js';

/** What a link opens, until when, and the API key that made it. */
export interface LogLink {
  /** `lnk_…`: in log lines, and what its requests count against. */
  readonly id: string;
  readonly accountId: string;
  readonly destinationId: string;
  readonly keyId: string;
  /** Milliseconds since the epoch of Unix. */
  readonly until: number;
}

/** The secrets of links are sealed as one of these, whatever the account. */
const LOCATION = { accountId: '', resourceId: 'log_links', field: 'token' };

/** `/links/<token>` before the path of a route. Public routes have no links. */
const linkedPath = /^\/links\/([^/?#]+)(\/event(?:s|_destinations)\/.*)$/s;

/** Returns the target of a request without the link that it begins with. */
export function withoutLink(target: string): string {
  return linkedPath.exec(target)?.[2] ?? target;
}

/**
 * Links that open the log of one destination to all who have them. No row is stored: a token holds the link, sealed by
 * the key ring. A link ends at its time, with the API key that made it, and with the key of the ring.
 */
export class LogLinks {
  constructor(
    private readonly ring: KeyRing,
    private readonly authenticator: Pick<Authenticator, 'callerOfKey'>,
  ) {}

  /** Makes a link, and returns it with its path: `/links/<token>`. */
  create(of: Omit<LogLink, 'id'>): { readonly link: LogLink; readonly path: string } {
    const link = { id: newId('lnk'), ...of };
    const { id, accountId, destinationId, keyId: maker, until } = link;
    const content = JSON.stringify([id, accountId, destinationId, maker, until]);
    const { keyId, nonce, ciphertext } = this.ring.seal(LOCATION, content);
    return { link, path: `/links/${keyId}~${Buffer.concat([nonce, ciphertext]).toString('base64url')}` };
  }

  /** Returns the link in the target of a request; undefined without one, null for one that was never made here. */
  of(target: string): LogLink | null | undefined {
    const token = linkedPath.exec(target)?.[1];
    return token === undefined ? undefined : this.open(token);
  }

  /** Returns who a request with a link counts as: a principal of its own. Null when the link has ended. */
  async callerOf({ id, accountId, keyId, until }: LogLink): Promise<Caller | null> {
    const maker = Date.now() < until ? await this.authenticator.callerOfKey(keyId) : null;
    if (maker?.accountId !== accountId) return null;
    const principal = { id, kind: 'bot', name: 'link', admin: false } as const;
    return { accountId, principal, credential: { id, role: 'auditor' }, active: maker.active };
  }

  private open(token: string): LogLink | null {
    const at = token.lastIndexOf('~');
    const bytes = Buffer.from(token.slice(at + 1), 'base64url');
    const sealed = {
      keyId: token.slice(0, Math.max(at, 0)),
      nonce: bytes.subarray(0, 12),
      ciphertext: bytes.subarray(12),
    };
    const opened = this.ring.openIfPossible(LOCATION, sealed);
    if (opened === null) return null;
    const [id, accountId, destinationId, keyId, until] = JSON.parse(opened);
    return { id, accountId, destinationId, keyId, until };
  }
}
