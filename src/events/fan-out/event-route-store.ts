import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';

/** The routes of a subscription: each event type to each destination. */
export interface SubscriptionRoutes {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly eventTypes: readonly string[];
  readonly destinationIds: readonly string[];
}

/** One route of a subscription. */
export interface EventRoute {
  readonly eventType: string;
  readonly destinationId: string;
}

/** Writes to `event_routes`, which the fan-out of events reads. */
export class EventRouteStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Replaces the routes of a subscription.
   * @returns the new ones
   */
  async replace(routes: SubscriptionRoutes): Promise<readonly EventRoute[]> {
    const { accountId, subscriptionId, eventTypes, destinationIds } = routes;
    await sql`
      delete from event_routes
      where subscription_id = ${subscriptionId}
        and not (event_type = any(${eventTypes}::text[]) and destination_id = any(${destinationIds}::text[]))`.execute(
      this.trx,
    );
    const { rows } = await sql<EventRoute>`
      insert into event_routes (account_id, event_type, destination_id, subscription_id)
      select ${accountId}, event_type, destination_id, ${subscriptionId}
      from unnest(${eventTypes}::text[]) event_type cross join unnest(${destinationIds}::text[]) destination_id
      on conflict do nothing
      returning event_type as "eventType", destination_id as "destinationId"`.execute(this.trx);
    return rows;
  }
}
