import type { Database } from '../../database/database.js';
import { httpsEdgeRoute } from '../../resources/families/https-edge-routes/https-edge-route.js';
import type { Attributes } from '../../resources/framework/definition/definition.js';

/** Queries on the service providers of all accounts: an identity provider knows only the address of the metadata. */
export class ServiceProviderStore {
  constructor(private readonly db: Database) {}

  /** Returns the attributes of an HTTPS edge route, or undefined. */
  async attributesOf(routeId: string): Promise<Attributes | undefined> {
    const query = this.db
      .selectFrom('resources')
      .select('attributes')
      .where('id', '=', routeId)
      .where('kind', '=', httpsEdgeRoute.name);
    return (await query.executeTakeFirst())?.attributes;
  }
}
