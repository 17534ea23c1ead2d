import type { Database, Transaction } from '../../../database/database.js';
import { matchRefs } from '../../building-blocks/tunnels/label-matches.js';
import type { ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition/definition.js';
import { tunnelGroupBackend } from '../tunnel-group-backends/tunnel-group-backend.js';

/** Derives the tunnel-group backends whose labels a tunnel has. */
export class TunnelBehaviour implements ResourceBehaviour {
  async derivedMembers(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]> {
    const refs = await matchRefs(db, 'tunnels', rows, tunnelGroupBackend, baseUrl);
    return refs.map((backends) => ({ backends }));
  }
}
