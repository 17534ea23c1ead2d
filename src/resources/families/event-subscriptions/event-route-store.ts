import type { Transaction } from '../../../database/database.js';

/** The routes of a subscription: each event type to each destination. */
export interface SubscriptionRoutes {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly eventTypes: readonly string[];
  readonly destinationIds: readonly string[];
}

/** Most rows of one insert: 4 parameters each, of at most 65,535. */
const CHUNK = 10_000;

/** Writes to `event_routes`, which the fan-out of events reads. */
export class EventRouteStore {
  constructor(private readonly trx: Transaction) {}

  /** Replaces the routes of a subscription. */
  async replace(routes: SubscriptionRoutes): Promise<void> {
    await this.trx.deleteFrom('event_routes').where('subscription_id', '=', routes.subscriptionId).execute();
    const rows = routes.eventTypes.flatMap((event_type) =>
      routes.destinationIds.map((destination_id) => ({
        account_id: routes.accountId,
        event_type,
        destination_id,
        subscription_id: routes.subscriptionId,
      })),
    );
    for (let start = 0; start < rows.length; start += CHUNK) {
      await this.trx
        .insertInto('event_routes')
        .values(rows.slice(start, start + CHUNK))
        .execute();
    }
  }
}
