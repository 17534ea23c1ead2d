import type { Database, Transaction } from '../../database/database.js';
import type { ResourceBehaviour } from '../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../framework/definition.js';
import { uriOf } from '../framework/links.js';
import { tunnelKind } from '../tunnels/kinds.js';
import { labelMatches } from '../tunnels/label-matches.js';

/** A group shows the tunnels that match its labels at the moment. */
export class TunnelGroupBackendBehaviour implements ResourceBehaviour {
  async related(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]> {
    const ids = rows.map(({ id }) => id);
    const matches = await labelMatches(db, rows[0]?.accountId ?? '', 'backends', ids);
    return ids.map((id) => ({
      tunnels: (matches.get(id) ?? []).map((tunnel) => ({
        id: tunnel,
        uri: uriOf(tunnelKind, tunnel, baseUrl),
      })),
    }));
  }
}
