import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { fanOutLimits } from './fan-out-statement.js';

/**
 * The accounts with an event type that has more destinations than the transaction of a change creates deliveries for.
 * A simple fan-out does not count its destinations: it reads here that it need not
 * (docs/decisions/fan-out.md).
 */
export class WideAccountStore {
  /** @param trx has closed the route fence: no fan-out is under way, and no other change of routes */
  constructor(
    private readonly trx: Transaction,
    private readonly limit: number = fanOutLimits.inline,
  ) {}

  /**
   * Records whether an account is wide after its routes were changed. While a fan-out of it waits, it stays wide.
   * @param addedTypes event types with new routes
   */
  async refresh(accountId: string, addedTypes: readonly string[]): Promise<void> {
    if (await this.hasWideType(accountId, addedTypes)) {
      await sql`insert into wide_accounts (account_id) values (${accountId}) on conflict do nothing`.execute(this.trx);
    } else if ((await this.isWide(accountId)) && !(await this.hasWideType(accountId, await this.typesOf(accountId)))) {
      await sql`
        delete from wide_accounts
        where account_id = ${accountId} and not exists (select from fan_out_parts where account_id = ${accountId})`.execute(
        this.trx,
      );
    }
  }

  private async hasWideType(accountId: string, types: readonly string[]): Promise<boolean> {
    const { rows } = await sql`
      select from unnest(${types}::text[]) as type (name)
      cross join lateral (
        select count(*) as destinations from (
          select distinct destination_id from event_routes
          where account_id = ${accountId} and event_type = type.name
          limit ${this.limit + 1}
        ) counted
      ) counts
      where destinations > ${this.limit} limit 1`.execute(this.trx);
    return rows.length > 0;
  }

  private async isWide(accountId: string): Promise<boolean> {
    const query = this.trx.selectFrom('wide_accounts').select('account_id').where('account_id', '=', accountId);
    return (await query.executeTakeFirst()) !== undefined;
  }

  private async typesOf(accountId: string): Promise<readonly string[]> {
    const query = this.trx
      .selectFrom('event_routes')
      .select('event_type')
      .distinct()
      .where('account_id', '=', accountId);
    return (await query.execute()).map(({ event_type }) => event_type);
  }
}
