import { sql } from 'kysely';
import { fromNow } from '../database/database-time.js';
import type { Database } from '../database/database.js';
import { Lookups } from './lookups.js';
import { isRandomToken, randomToken } from './random-token.js';
import { hashToken } from './token.js';

/** Lifetime of a session, in seconds: a working day. */
const SESSION_SECONDS = 8 * 60 * 60;

/** Most sessions of one API key. The next sign-in ends those that would expire first. */
export const MOST_SESSIONS = 100;

/** The API key of a session. The key is checked on every request. */
export interface SessionKey {
  readonly accountId: string;
  readonly keyId: string;
}

/** A session of a browser. */
export interface Session extends SessionKey {
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/**
 * Sessions of browsers, in the console and in the dashboard. The cookie of a session is a random token, and the
 * database has its hash: who can read the database cannot sign in, and a session that ended by sign-out is over for
 * everyone who still has its cookie.
 */
export class SessionStore {
  private readonly lookups = new Lookups<Buffer, Session | null>(
    (hashes) => this.findAll(hashes),
    (hash) => hash.toString('base64'),
  );

  constructor(private readonly db: Database) {}

  /**
   * Begins a session and returns it with its token. Deletes expired sessions, which are few.
   * @param until the session ends then, if that is earlier than usual; null: as usual
   */
  async open(
    { accountId, keyId }: SessionKey,
    until: Date | null = null,
  ): Promise<{ readonly token: string; readonly session: Session }> {
    const token = randomToken();
    const tokenHash = hashToken(token);
    await sql`
      delete from sessions
      where expires_at <= now() or token_hash in (
        select token_hash from sessions where key_id = ${keyId}
        order by expires_at desc offset ${MOST_SESSIONS - 1}
      )`.execute(this.db);
    const { expires_at: expiresAt } = await this.db
      .insertInto('sessions')
      .values({
        token_hash: tokenHash,
        account_id: accountId,
        key_id: keyId,
        expires_at: sql<Date>`least(${fromNow(SESSION_SECONDS * 1_000)}, ${until}::timestamptz)`,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    return { token, session: { accountId, keyId, tokenHash, expiresAt } };
  }

  /** Returns the session with this token; null when it has ended or never existed. Concurrent calls share a query. */
  async find(token: string): Promise<Session | null> {
    return isRandomToken(token) ? this.lookups.find(hashToken(token)) : null;
  }

  private async findAll(hashes: readonly Buffer[]): Promise<readonly (Session | null)[]> {
    const rows = await this.db
      .selectFrom('sessions')
      .select(['account_id as accountId', 'key_id as keyId', 'token_hash as tokenHash', 'expires_at as expiresAt'])
      .where('token_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
      .where('expires_at', '>', fromNow(0))
      .execute();
    const found = new Map(rows.map((row) => [row.tokenHash.toString('base64'), row]));
    return hashes.map((hash) => found.get(hash.toString('base64')) ?? null);
  }

  /** Ends the session with this token, if there is one. */
  async close(token: string): Promise<void> {
    if (!isRandomToken(token)) return;
    await this.db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
  }
}
