import type { Database, Transaction } from '../../../database/database.js';
import { tunnelKind } from '../../building-blocks/tunnels/kinds.js';
import { matchRefs } from '../../building-blocks/tunnels/label-matches.js';
import type { ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition/definition.js';

/** Derives the tunnels that match the labels of a group. */
export class TunnelGroupBackendBehaviour implements ResourceBehaviour {
  async derivedMembers(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]> {
    const refs = await matchRefs(db, 'backends', rows, tunnelKind, baseUrl);
    return refs.map((tunnels) => ({ tunnels }));
  }
}
