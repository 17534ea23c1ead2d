import { timingSafeEqual } from 'node:crypto';
import { SharedLookups } from './shared-lookups.js';
import { hashToken, keyIdOf } from './token.js';
import type { TokenRow, TokenStore } from './token-store.js';

/** Whose key was shown. */
export interface Caller {
  readonly accountId: string;
  readonly principal: {
    readonly id: string;
    readonly kind: 'user' | 'bot';
    /** What people call it. */
    readonly name: string;
    readonly admin: boolean;
  };
  /** The API key. */
  readonly credential: { readonly id: string };
  /** False for the key of a bot that has been switched off: known, but not allowed anything. */
  readonly active: boolean;
}

/** Longest token that is looked up: the longest BOOTSTRAP_API_KEY. */
const LONGEST_TOKEN = 200;
/** The hash of no token. */
const noHash = Buffer.alloc(0);

/**
 * Finds out whose token it is. No cache: every call is answered by a query that began after it, so that deleting a key takes effect
 * at once; calls that come while another one's query runs share the next.
 */
export class Authenticator {
  private readonly lookups = new SharedLookups<readonly TokenRow[]>();

  constructor(private readonly tokens: Pick<TokenStore, 'candidates'>) {}

  /** The caller that shows this token, or null when no API key has it. */
  async authenticate(token: string): Promise<Caller | null> {
    if (token.length === 0 || token.length > LONGEST_TOKEN) return null;
    const hash = hashToken(token);
    const rows = await this.lookups.ask(token, () => this.tokens.candidates(keyIdOf(token), hash));
    const row = rows.find(
      ({ tokenHash }) => tokenHash.length === hash.length && timingSafeEqual(tokenHash, hash),
    );
    return row === undefined ? null : callerOf(row);
  }

  /** The caller that an API key stands for as of now, for a session that was opened with it; null when the key is gone. */
  async callerOfKey(keyId: string): Promise<Caller | null> {
    const rows = await this.tokens.candidates(keyId, noHash);
    const row = rows.find((candidate) => candidate.keyId === keyId);
    return row === undefined ? null : callerOf(row);
  }
}

function callerOf(row: TokenRow): Caller | null {
  const { accountId, active } = row;
  const credential = { id: row.keyId };
  switch (row.ownerKind) {
    case 'user':
      return {
        accountId,
        principal: { id: row.ownerId, kind: 'user', name: row.ownerName, admin: row.admin },
        credential,
        active,
      };
    case 'bot_user':
      return {
        accountId,
        principal: { id: row.ownerId, kind: 'bot', name: row.ownerName, admin: false },
        credential,
        active,
      };
    default:
      return null;
  }
}
