import { sql } from 'kysely';
import { DEFAULT_ROLE } from './accounts/key-role.js';
import { TokenStore } from './accounts/token-store.js';
import { hashToken, mintToken } from './accounts/token.js';
import type { Config } from './config/config.js';
import type { Database, Transaction } from './database/database.js';
import { newId } from './ids/id.js';
import type { Logger } from './logging/logger.js';
import { apiKey } from './resources/families/api-keys/api-key.js';
import { newRow } from './resources/framework/store/resource-row.js';
import { insertResource, runTogether } from './resources/framework/store/resource-statements.js';
import { createAccount } from './resources/new-account.js';

/**
 * Key of the advisory lock that lets only one of several starting services create the account. Must be unique.
 */
const BOOTSTRAP_LOCK = 8_214_001;

/**
 * Creates the account, its admin and the admin's API key on the first start; otherwise does nothing. Safe when several
 * processes start at once. The key is BOOTSTRAP_API_KEY, or a new key that is passed to `show` once and never logged.
 * `show` is called before the commit: if the process crashes between the two, the next start creates another key.
 */
export async function bootstrap(
  db: Database,
  config: Pick<Config, 'BOOTSTRAP_API_KEY'>,
  logger: Logger,
  show: (token: string) => void,
): Promise<void> {
  const given = config.BOOTSTRAP_API_KEY;
  const created = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::bigint)`.execute(trx);
    const existing = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
    if (existing !== undefined) return null;
    const keyId = newId(apiKey.prefix);
    const token = given ?? mintToken(keyId);
    const first = await createFirst(trx, keyId, token);
    if (given === undefined) show(token);
    return first;
  });
  if (created !== null) {
    logger.info({ account_id: created.accountId, api_key_id: created.keyId }, 'first account created');
  } else if (given !== undefined && !(await new TokenStore(db).has(hashToken(given)))) {
    logger.warn('BOOTSTRAP_API_KEY is ignored after the first start, and it is not an API key of this service');
  }
}

async function createFirst(
  trx: Transaction,
  keyId: string,
  token: string,
): Promise<{ accountId: string; keyId: string }> {
  const { accountId, adminId } = await createAccount(trx, 'default', 'admin');
  const attributes = { description: 'The first API key.', metadata: null, owner_id: adminId };
  const row = newRow({ id: keyId, account_id: accountId, kind: apiKey.name, attributes });
  const links = [{ role: 'owner_id', position: 0, toId: adminId }];
  await runTogether(trx, insertResource(row, links));
  await new TokenStore(trx).insert({
    keyId,
    accountId,
    ownerId: adminId,
    tokenHash: hashToken(token),
    role: DEFAULT_ROLE,
  });
  return { accountId, keyId };
}
