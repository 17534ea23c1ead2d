import type { Transaction } from '../../../database/database.js';

/** What a subscription routes: each of its event types to each of its destinations. */
export interface SubscriptionRoutes {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly eventTypes: readonly string[];
  readonly destinationIds: readonly string[];
}

/** Most rows of one insert: 4 parameters each, of the 65,535 that Postgres takes. */
const CHUNK = 10_000;

/** Every write to `event_routes`, the table that the fan-out of an event reads. */
export class EventRouteStore {
  constructor(private readonly trx: Transaction) {}

  /** Makes the routes of a subscription exactly these. */
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
