import { randomUUID } from 'node:crypto';
import type { Dispatcher } from '../../../delivery/dispatch/dispatcher.js';
import type { LaneStore } from '../../../delivery/lanes/lane-store.js';
import { Problem } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition.js';
import { valueAt, withValueAt } from '../../framework/paths.js';
import { targetIn } from './event-destination.js';

const EXTERNAL_ID_PATH = 'auth.role.external_id';

/** A destination has a lane, an external id where it assumes a role, and a kind of target that stays. */
export class EventDestinationBehaviour implements ResourceBehaviour {
  constructor(
    private readonly lanes: LaneStore,
    private readonly dispatcher: Dispatcher,
  ) {}

  prepare({ before, attributes }: PendingChange): Attributes {
    const { kind, member: given } = targetIn(attributes);
    const current = before && targetIn(before.attributes);
    if (current && current.kind !== kind) {
      const detail = `The target is of the kind ${current.kind} and stays so: create another destination for ${kind}.`;
      throw new Problem('conflict', 'conflict', detail);
    }
    const member = { ...current?.member, ...given };
    const whole = withValueAt(attributes, `target.${kind}`, member);
    if (valueAt(member, 'auth.role') == null) return whole;
    // The external id is ours: one that a client could choose would not protect anyone from the confused deputy.
    const externalId = (current && valueAt(current.member, EXTERNAL_ID_PATH)) ?? randomUUID();
    return withValueAt(whole, `target.${kind}.${EXTERNAL_ID_PATH}`, externalId);
  }

  async afterWrite({ trx, row, before }: WrittenChange): Promise<void> {
    if (before !== null) return;
    const { kind } = targetIn(row.attributes);
    await this.lanes.create(trx, { destinationId: row.id, accountId: row.accountId, targetKind: kind });
  }

  /** A destination that was mended is tried at once, not when its backoff ends. */
  updated(row: ResourceRow): void {
    void this.dispatcher.resume(row.id);
  }
}
