import { hashToken, mintToken } from '../../src/accounts/token.js';
import type { Database } from '../../src/database/database.js';
import { newId } from '../../src/ids/id.js';

/** Writes another account with an admin and an API key, as the first start writes the first one. Returns the token. */
export async function addAccount(db: Database): Promise<string> {
  const accountId = newId('acct');
  const userId = newId('usr');
  const keyId = newId('ak');
  const token = mintToken(keyId);
  const now = new Date();
  const row = { account_id: accountId, parent_id: null, created_at: now, updated_at: now };
  await db.insertInto('accounts').values({ id: accountId, name: 'another' }).execute();
  await db
    .insertInto('resources')
    .values([
      { ...row, id: userId, kind: 'user', attributes: JSON.stringify({ name: 'admin', admin: true }) },
      { ...row, id: keyId, kind: 'api_key', attributes: JSON.stringify({ owner_id: userId }) },
    ])
    .execute();
  await db
    .insertInto('resource_links')
    .values({ from_id: keyId, role: 'owner_id', position: 0, to_id: userId })
    .execute();
  await db
    .insertInto('api_tokens')
    .values({ key_id: keyId, account_id: accountId, owner_id: userId, token_hash: hashToken(token) })
    .execute();
  return token;
}
