import type { Database, Transaction } from '../../database/database.js';
import type { ResourceBehaviour } from '../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../framework/definition.js';
import { uriOf } from '../framework/links.js';
import { tunnelGroupBackend } from '../tunnel-group-backends/tunnel-group-backend.js';
import { labelMatches } from './label-matches.js';

/** A tunnel shows the tunnel-group backends that its labels put it into. */
export class TunnelBehaviour implements ResourceBehaviour {
  async related(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]> {
    const ids = rows.map(({ id }) => id);
    const matches = await labelMatches(db, rows[0]?.accountId ?? '', 'tunnels', ids);
    return ids.map((tunnelId) => ({
      backends: (matches.get(tunnelId) ?? []).map((id) => ({
        id,
        uri: uriOf(tunnelGroupBackend, id, baseUrl),
      })),
    }));
  }
}
