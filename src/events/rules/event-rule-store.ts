import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';
import { sharedFence } from '../fan-out/route-fence.js';
import type { EventRule } from './event-rule.js';

/** Most characters of the filters and fields of all subscriptions of an account. A transaction may read all of them. */
export const MOST_RULE_CHARACTERS = 2 * 1024 * 1024;

/** Reads and writes the rules of sources. */
export class EventRuleStore {
  /**
   * @param trx a transaction
   * @param fence `heldFence` where the transaction holds the fence of its account
   */
  constructor(
    private readonly trx: Database,
    private readonly fence: RawBuilder<unknown> = sharedFence,
  ) {}

  /**
   * Returns the rules of event types, in the order of their subscriptions. Holds the route fence from here on, so that
   * no rule changes until the transaction ends: call it when every row is locked.
   */
  ofTypes(accountId: string, eventTypes: readonly string[]): Promise<readonly EventRule[]> {
    return executePrepared(
      this.trx,
      sql<EventRule>`
      with ${this.fence}
      select event_type as "eventType", subscription_id as "subscriptionId", filter, fields
      from event_rules
      where account_id = ${accountId} and event_type = any(${eventTypes}::text[]) and not exists (select from fence)
      order by subscription_id, event_type`,
    );
  }

  /**
   * Replaces the rules of a subscription.
   * @returns whether they changed
   */
  async replace(accountId: string, subscriptionId: string, rules: readonly EventRule[]): Promise<boolean> {
    const stored = await this.ofSubscription(accountId, subscriptionId);
    if (textOf(stored) === textOf(rules)) return false;
    await this.remove(subscriptionId);
    if (rules.length === 0) return true;
    await this.trx
      .insertInto('event_rules')
      .values(
        rules.map(({ eventType, filter, fields }) => ({
          account_id: accountId,
          event_type: eventType,
          subscription_id: subscriptionId,
          filter,
          fields: fields && JSON.stringify(fields),
        })),
      )
      .execute();
    return true;
  }

  /**
   * Waits for other changes of the rules of an account, and holds them back until the transaction ends. So what follows
   * counts their rules too.
   */
  async holdLimits(accountId: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`rules of ${accountId}`}, 0))`.execute(this.trx);
  }

  /** Returns whether the rules of an account have more than `MOST_RULE_CHARACTERS`. */
  async areMany(accountId: string): Promise<boolean> {
    const { rows } = await sql<{ many: boolean }>`
      select sum(coalesce(length(filter), 0) + coalesce(length(fields::text), 0)) > ${MOST_RULE_CHARACTERS} as many
      from event_rules where account_id = ${accountId}`.execute(this.trx);
    return rows[0]?.many === true;
  }

  /** Removes the rules of a subscription. */
  async remove(subscriptionId: string): Promise<void> {
    await this.trx.deleteFrom('event_rules').where('subscription_id', '=', subscriptionId).execute();
  }

  private async ofSubscription(accountId: string, subscriptionId: string): Promise<readonly EventRule[]> {
    const rows = await this.trx
      .selectFrom('event_rules')
      .select(['event_type as eventType', 'subscription_id as subscriptionId', 'filter', 'fields'])
      .where('account_id', '=', accountId)
      .where('subscription_id', '=', subscriptionId)
      .execute();
    return rows;
  }
}

/** Returns a text that is equal for equal rules. */
function textOf(rules: readonly EventRule[]): string {
  const parts = rules.map(({ eventType, filter, fields }) => {
    const { include, exclude, hash } = fields ?? {};
    return JSON.stringify([eventType, filter, include ?? null, exclude ?? null, hash ?? null]);
  });
  return parts.toSorted().join('\n');
}
