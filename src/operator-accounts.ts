import { AccountStore, type AccountSummary } from './accounts/account-store.js';
import { DEFAULT_ROLE } from './accounts/key-role.js';
import { TokenStore } from './accounts/token-store.js';
import { hashToken, mintToken } from './accounts/token.js';
import type { Database, Transaction } from './database/database.js';
import { systemContext } from './events/envelope/system-context.js';
import { EventRecorder } from './events/fan-out/event-recorder.js';
import { newId } from './ids/id.js';
import { apiKey } from './resources/families/api-keys/api-key.js';
import { represent } from './resources/framework/service/representation.js';
import { newRow } from './resources/framework/store/resource-row.js';
import { insertResource } from './resources/framework/store/resource-statements.js';
import { createAccount } from './resources/new-account.js';

/** A new API key of an admin. Its token is not stored. */
export interface AdminKey {
  readonly accountId: string;
  readonly adminId: string;
  readonly keyId: string;
  readonly token: string;
}

/**
 * What the operator does with accounts, beside the API: a new account, and a new key for an admin who has none. Each
 * key is an event of its account, by the principal `system:operator`. The sweeper dispatches its deliveries. No quota
 * refuses these keys.
 */
export class OperatorAccounts {
  /** @param baseUrl base of every `uri` in the events */
  constructor(
    private readonly db: Database,
    private readonly baseUrl: string,
  ) {}

  /** Creates an account with an admin and a key of the admin. */
  create(name: string): Promise<AdminKey> {
    return this.db.transaction().execute(async (trx) => {
      const { accountId, adminId } = await createAccount(trx, name, 'admin');
      return this.createKey(trx, accountId, adminId, 'The first API key.');
    });
  }

  /**
   * Creates a key of the first admin of an account.
   * @param accountId undefined: the only account
   * @throws Error when there is no such account, or several and none is named
   */
  async createAdminKey(accountId: string | undefined, description: string): Promise<AdminKey> {
    const id = accountId ?? (await this.onlyAccount());
    const adminId = await new AccountStore(this.db).adminOf(id);
    if (adminId === undefined) throw new Error(`There is no account ${id}. The command "list" shows the accounts.`);
    return this.db.transaction().execute((trx) => this.createKey(trx, id, adminId, description));
  }

  /** Returns every account, the oldest first. */
  list(): Promise<readonly AccountSummary[]> {
    return new AccountStore(this.db).list();
  }

  private async onlyAccount(): Promise<string> {
    const [first, ...others] = await this.list();
    if (first && others.length === 0) return first.id;
    throw new Error(
      first ? 'There are several accounts: name one with --account.' : 'There is no account. Create one first.',
    );
  }

  private async createKey(
    trx: Transaction,
    accountId: string,
    adminId: string,
    description: string,
  ): Promise<AdminKey> {
    const id = newId(apiKey.prefix);
    const attributes = { description, metadata: null, owner_id: adminId, created_by_key_id: null };
    const row = newRow({ id, account_id: accountId, kind: apiKey.name, attributes });
    const change = {
      kind: apiKey.name,
      type: 'api_key_created.v0',
      resourceId: id,
      version: row.version,
      object: represent(apiKey, row, { baseUrl: this.baseUrl, samlUrl: this.baseUrl }),
      changes: null,
      before: null,
    } as const;
    const links = [{ role: 'owner_id', position: 0, toId: adminId }];
    const context = systemContext(accountId, 'operator', this.baseUrl);
    await new EventRecorder().record(trx, context, change, insertResource(row, links));
    const token = mintToken(id);
    await new TokenStore(trx).insert({
      keyId: id,
      accountId,
      ownerId: adminId,
      tokenHash: hashToken(token),
      role: DEFAULT_ROLE,
    });
    return { accountId, adminId, keyId: id, token };
  }
}
