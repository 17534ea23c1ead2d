import { timingSafeEqual } from 'node:crypto';
import type { KeyRole } from './key-role.js';
import { Lookups } from './lookups.js';
import type { TokenRow, TokenStore, WantedToken } from './token-store.js';
import { hashKeyToken, hashToken, keyIdOf } from './token.js';

/** The caller of a request, identified by an API key. */
export interface Caller {
  readonly accountId: string;
  readonly principal: {
    readonly id: string;
    readonly kind: 'user' | 'bot';
    /** Display name. */
    readonly name: string;
    readonly admin: boolean;
  };
  /** The API key. */
  readonly credential: { readonly id: string; readonly role: KeyRole };
  /** False for the key of an inactive bot user, which is not permitted anything. */
  readonly active: boolean;
}

/** Longest token, in characters: the limit of BOOTSTRAP_API_KEY. */
const MAX_TOKEN_LENGTH = 200;
/** A hash that no token has. */
const noHash = Buffer.alloc(0);

/**
 * Identifies callers by their tokens. There is no cache: the query for a call begins after the call, so that the
 * deletion of a key has immediate effect.
 */
export class Authenticator {
  private readonly lookups: Lookups<WantedToken, readonly TokenRow[]>;

  constructor(tokens: Pick<TokenStore, 'candidates'>) {
    this.lookups = new Lookups(
      (wanted) => tokens.candidates(wanted),
      ({ keyId, tokenHash }) => `${keyId} ${tokenHash.toString('base64')}`,
    );
  }

  /** Returns the caller with this token, or null for an unknown token. */
  async authenticate(token: string): Promise<Caller | null> {
    if (token.length === 0 || token.length > MAX_TOKEN_LENGTH) return null;
    const rows = await this.lookups.find({ keyId: keyIdOf(token), tokenHash: hashToken(token) });
    const row = rows.find((candidate) => hasHashOf(candidate, token));
    return row === undefined ? null : callerOf(row);
  }

  /** Returns the current caller of an API key, for a session; null when the key was deleted. */
  async callerOfKey(keyId: string): Promise<Caller | null> {
    const rows = await this.lookups.find({ keyId, tokenHash: noHash });
    const row = rows.find((candidate) => candidate.keyId === keyId);
    return row === undefined ? null : callerOf(row);
  }
}

/** Compares in constant time. */
function hasHashOf({ tokenHash, role }: TokenRow, token: string): boolean {
  if (role === null) return false;
  const hash = hashKeyToken(token, role);
  return tokenHash.length === hash.length && timingSafeEqual(tokenHash, hash);
}

function callerOf({ keyId, accountId, ownerId, ownerKind, ownerName, admin, active, role }: TokenRow): Caller | null {
  const isUser = ownerKind === 'user';
  if (role === null || (!isUser && ownerKind !== 'bot_user')) return null;
  return {
    accountId,
    principal: { id: ownerId, kind: isUser ? 'user' : 'bot', name: ownerName, admin: isUser && admin },
    credential: { id: keyId, role },
    active,
  };
}
