import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { EventRuleStore } from '../../events/rules/event-rule-store.js';
import { filterBudget, judged } from '../../events/rules/judged-event.js';
import type { ProjectedEvent } from '../../events/rules/projection-rows.js';
import { ProjectionStore } from '../../events/rules/projection-store.js';
import type { ReportUnevaluated } from '../../events/rules/unevaluated-filters.js';
import { payloadsOf } from './backfill-filter.js';
import type { BackfillOwner } from './backfill-store.js';
import type { MatchingEvent } from './backfill-walk-store.js';

/** Applies the rules of the sources that send events to one destination to earlier events. */
export class BackfillRules {
  /** @param report called for each filter that cannot be evaluated for an event, which is sent */
  constructor(
    private readonly trx: Transaction,
    private readonly report: ReportUnevaluated,
  ) {}

  /**
   * Returns those of the events that a subscription sends to the destination, with the rules that change their payload.
   * Holds the route fence from here on, so that neither routes nor rules change until the transaction ends.
   */
  async admitted(owner: BackfillOwner, events: readonly MatchingEvent[]): Promise<readonly ProjectedEvent[]> {
    const types = [...new Set(events.map(({ type }) => type))];
    const rules = await new EventRuleStore(this.trx).ofTypes(owner.account_id, types);
    const routes = await this.routes(owner, types);
    const ofDestination = rules.filter(({ eventType, subscriptionId }) => routes.get(eventType)?.has(subscriptionId));
    const judgedTypes = new Set(ofDestination.map(({ eventType }) => eventType));
    const payloads = await payloadsOf(
      this.trx,
      events.filter(({ type }) => judgedTypes.has(type)),
    );
    const budget = filterBudget();
    const sent: ProjectedEvent[] = [];
    for (const { id, type } of events) {
      const payload = payloads.get(id) ?? '';
      const ofType = ofDestination.filter(({ eventType }) => eventType === type);
      const { refusing, projecting } = await judged(payload, ofType, budget, this.report);
      const isSent = [...(routes.get(type) ?? [])].some((subscriptionId) => !refusing.includes(subscriptionId));
      if (isSent) sent.push({ id, type, payload, projecting });
    }
    return sent;
  }

  /** Writes the payloads of events as the destination receives them, where they differ. */
  async project(
    { account_id: accountId, destination_id: destinationId }: BackfillOwner,
    events: readonly ProjectedEvent[],
  ): Promise<void> {
    await new ProjectionStore(this.trx).replaceForDestination(accountId, destinationId, events);
  }

  /** Returns the subscriptions that send events of these types to the destination, by type. */
  private async routes(
    { account_id: accountId, destination_id: destinationId }: BackfillOwner,
    types: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const rows = await this.trx
      .selectFrom('event_routes')
      .select(['event_type', 'subscription_id'])
      .where('account_id', '=', accountId)
      .where('event_type', '=', sql<string>`any(${types}::text[])`)
      .where('destination_id', '=', destinationId)
      .execute();
    return new Map(
      types.map((type) => [
        type,
        new Set(rows.filter((row) => row.event_type === type).map(({ subscription_id: id }) => id)),
      ]),
    );
  }
}
