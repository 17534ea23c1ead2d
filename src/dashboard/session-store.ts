import { createHash, randomBytes } from 'node:crypto';
import { fromNow } from '../database/database-time.js';
import type { Database } from '../database/database.js';

/** Lifetime of a session, in seconds: a working day. */
export const SESSION_SECONDS = 8 * 60 * 60;

const TOKEN_BYTES = 32;
const tokenPattern = /^[\w-]{43}$/;

/** The API key of a session. The key is checked on every request. */
export interface Session {
  readonly accountId: string;
  readonly keyId: string;
}

/**
 * Sessions of the dashboard. The cookie of a session is a random token, and the database has its hash: who can read the
 * database cannot sign in, and a session that ended by sign-out is over, whoever still has its cookie.
 */
export class SessionStore {
  constructor(private readonly db: Database) {}

  /** Whether an account is the first one of this installation. The queues hold jobs of every account. */
  async isFirstAccount(accountId: string): Promise<boolean> {
    const first = await this.db.selectFrom('accounts').select('id').orderBy('id').limit(1).executeTakeFirst();
    return first?.id === accountId;
  }

  /** Begins a session and returns its token. Deletes expired sessions, which are few. */
  async open({ accountId, keyId }: Session): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await this.db.deleteFrom('dashboard_sessions').where('expires_at', '<=', fromNow(0)).execute();
    await this.db
      .insertInto('dashboard_sessions')
      .values({
        token_hash: hashOf(token),
        account_id: accountId,
        key_id: keyId,
        expires_at: fromNow(SESSION_SECONDS * 1_000),
      })
      .execute();
    return token;
  }

  /** Returns the session with this token; null when it has ended or never existed. */
  async find(token: string): Promise<Session | null> {
    if (!tokenPattern.test(token)) return null;
    const row = await this.db
      .selectFrom('dashboard_sessions')
      .select(['account_id as accountId', 'key_id as keyId'])
      .where('token_hash', '=', hashOf(token))
      .where('expires_at', '>', fromNow(0))
      .executeTakeFirst();
    return row ?? null;
  }

  /** Ends the session with this token, if there is one. */
  async close(token: string): Promise<void> {
    if (!tokenPattern.test(token)) return;
    await this.db.deleteFrom('dashboard_sessions').where('token_hash', '=', hashOf(token)).execute();
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
