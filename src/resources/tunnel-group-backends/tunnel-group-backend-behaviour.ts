import type { Database, Transaction } from '../../database/database.js';
import type { ResourceBehaviour } from '../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../framework/definition.js';
import { tunnelKind } from '../tunnels/kinds.js';
import { matchRefs } from '../tunnels/label-matches.js';

/** A group shows the tunnels that match its labels at the moment. */
export class TunnelGroupBackendBehaviour implements ResourceBehaviour {
  async related(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]> {
    const refs = await matchRefs(db, 'backends', rows, tunnelKind, baseUrl);
    return refs.map((tunnels) => ({ tunnels }));
  }
}
