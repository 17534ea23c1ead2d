import { sql } from 'kysely';
import type { Database } from '../database/database.js';

/** An account, for the operator. */
export interface AccountSummary {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Number of API keys that belong to its admins. */
  readonly adminKeys: number;
}

/** Every query on `accounts`. */
export class AccountStore {
  /** The first account, once it was read. */
  private firstId: string | undefined;

  constructor(private readonly db: Database) {}

  /** Creates an account. */
  async create(id: string, name: string): Promise<void> {
    await this.db.insertInto('accounts').values({ id, name }).execute();
  }

  /** Returns every account, the oldest first. */
  async list(): Promise<readonly AccountSummary[]> {
    const { rows } = await sql<AccountSummary>`
      select id, name, created_at as "createdAt", (
        select count(*)::int from resources admin
        join resource_links owner on owner.to_id = admin.id and owner.role = 'owner_id'
        where admin.account_id = accounts.id and admin.kind = 'user' and admin.attributes @> '{"admin": true}'
      ) as "adminKeys"
      from accounts order by created_at, id`.execute(this.db);
    return rows;
  }

  /** Returns the name of an account. @throws Error when there is none */
  async nameOf(accountId: string): Promise<string> {
    const { name } = await this.db
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return name;
  }

  /** Locks an account until the transaction ends. */
  async lock(accountId: string): Promise<void> {
    await this.db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  }

  /** Whether an account is the first one of this installation. It is read once: no account is ever deleted. */
  async isFirst(accountId: string): Promise<boolean> {
    // By the clock of the database: ids have the clocks of the processes that made them.
    const oldest = this.db.selectFrom('accounts').select('id').orderBy('created_at').orderBy('id').limit(1);
    this.firstId ??= (await oldest.executeTakeFirst())?.id;
    return this.firstId === accountId;
  }

  /** Returns the id of the first admin of an account; undefined when there is no such account. */
  async adminOf(accountId: string): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('resources')
      .select('id')
      .where('account_id', '=', accountId)
      .where('kind', '=', 'user')
      .where(sql<boolean>`attributes @> '{"admin": true}'`)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row?.id;
  }
}
