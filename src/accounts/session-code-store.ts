import { sql } from 'kysely';
import { fromNow } from '../database/database-time.js';
import type { Database } from '../database/database.js';
import { isRandomToken, randomToken } from './random-token.js';
import type { Session, SessionKey } from './session-store.js';
import { hashToken } from './token.js';

/** How long a sign-in code is valid, in minutes. */
export const CODE_MINUTES = 10;

/** Most codes of one API key that are not used yet. The next one replaces the oldest. */
export const MOST_CODES = 20;

/** What a sign-in code gives: a session of an API key. */
export interface CodeGrant extends SessionKey {
  /** The session ends then at the latest; null: as usual. */
  readonly sessionUntil: Date | null;
}

/** A new sign-in code. */
export interface SessionCode {
  /** The secret, which is not stored. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** Sign-in codes, by their hash. A code is valid once, and a code that a session made ends with it. */
export class SessionCodeStore {
  constructor(private readonly db: Database) {}

  /**
   * Makes a code. Deletes expired ones, and those of the key beyond MOST_CODES.
   * @param by the session that asks for the code: the code ends with it, and the session of the code ends when it would
   * have ended; null: an API key asks
   */
  async issue({ accountId, keyId }: SessionKey, by: Session | null): Promise<SessionCode> {
    const code = randomToken();
    await sql`
      delete from session_codes
      where expires_at <= now() or code_hash in (
        select code_hash from session_codes where key_id = ${keyId} order by expires_at desc offset ${MOST_CODES - 1}
      )`.execute(this.db);
    const { expires_at: expiresAt } = await this.db
      .insertInto('session_codes')
      .values({
        code_hash: hashToken(code),
        account_id: accountId,
        key_id: keyId,
        session_until: by?.expiresAt ?? null,
        session_hash: by?.tokenHash ?? null,
        expires_at: fromNow(CODE_MINUTES * 60_000),
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    return { code, expiresAt };
  }

  /**
   * Returns what a code gives, which stays valid; null for a code that was used, has expired or never existed, or whose
   * session has ended.
   */
  async find(code: string): Promise<CodeGrant | null> {
    if (!isRandomToken(code)) return null;
    const row = await this.db
      .selectFrom('session_codes')
      .where('code_hash', '=', hashToken(code))
      .select(['account_id as accountId', 'key_id as keyId', 'session_until as sessionUntil', isValid])
      .executeTakeFirst();
    if (!row?.isValid) return null;
    const { accountId, keyId, sessionUntil } = row;
    return { accountId, keyId, sessionUntil };
  }

  /**
   * Uses a code up. Returns whether it was valid. Of two requests with one code, the deletion of the row gives it to
   * one.
   */
  async take(code: string): Promise<boolean> {
    const row = await this.db
      .deleteFrom('session_codes')
      .where('code_hash', '=', hashToken(code))
      .returning(isValid)
      .executeTakeFirst();
    return row?.isValid === true;
  }
}

/** Whether a code has not expired, and the session that made it has not ended. */
const isValid = sql<boolean>`session_codes.expires_at > now() and (session_hash is null or exists (
  select from sessions s where s.token_hash = session_hash and s.expires_at > now()
))`.as('isValid');
