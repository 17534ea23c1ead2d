import { sql } from 'kysely';
import { fromNow } from '../database/database-time.js';
import type { Database } from '../database/database.js';
import { isRandomToken, randomToken } from './random-token.js';
import type { SessionKey } from './session-store.js';
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

/** Sign-in codes, by their hash. A code is valid once. */
export class SessionCodeStore {
  constructor(private readonly db: Database) {}

  /** Makes a code. Deletes expired ones, and those of the key beyond MOST_CODES. */
  async issue({ accountId, keyId, sessionUntil }: CodeGrant): Promise<SessionCode> {
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
        session_until: sessionUntil,
        expires_at: fromNow(CODE_MINUTES * 60_000),
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    return { code, expiresAt };
  }

  /**
   * Uses a code up, and returns what it gives; null for a code that was used, has expired or never existed. Of two
   * requests with one code, the deletion of the row gives it to one.
   */
  async take(code: string): Promise<CodeGrant | null> {
    if (!isRandomToken(code)) return null;
    const row = await this.db
      .deleteFrom('session_codes')
      .where('code_hash', '=', hashToken(code))
      .returning([
        'account_id as accountId',
        'key_id as keyId',
        'session_until as sessionUntil',
        sql<boolean>`expires_at > now()`.as('isValid'),
      ])
      .executeTakeFirst();
    if (!row?.isValid) return null;
    const { accountId, keyId, sessionUntil } = row;
    return { accountId, keyId, sessionUntil };
  }
}
