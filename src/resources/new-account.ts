import { AccountStore } from '../accounts/account-store.js';
import type { Transaction } from '../database/database.js';
import { newId } from '../ids/id.js';
import { user } from './families/users/user.js';
import { newRow } from './framework/store/resource-row.js';
import { insertResource, runTogether } from './framework/store/resource-statements.js';

/** A new account. */
export interface NewAccount {
  readonly accountId: string;
  readonly adminId: string;
}

/** Creates an account with an admin. */
export async function createAccount(trx: Transaction, name: string, adminName: string): Promise<NewAccount> {
  const accountId = newId('acct');
  await new AccountStore(trx).create(accountId, name);
  const adminId = newId(user.prefix);
  const attributes = { name: adminName, admin: true };
  const row = newRow({ id: adminId, account_id: accountId, kind: user.name, attributes });
  await runTogether(trx, insertResource(row, []));
  return { accountId, adminId };
}
