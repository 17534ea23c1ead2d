import type { Transaction } from '../../../database/database.js';
import { destinationTestEvent } from '../../../events/destination-test-event.js';
import type { EventCatalogue } from '../../../events/event-catalogue.js';
import { EventSnapshotStore } from '../../../events/event-snapshot-store.js';
import { TypeVersionStore } from '../../../events/registered-types/type-version-store.js';
import { RouteFence } from '../../../events/route-fence.js';
import { WideAccountStore } from '../../../events/wide-account-store.js';
import type { RequestContext } from '../../../http/request-context.js';
import { invalidInput } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition.js';
import { EventRouteStore, type EventRoute } from './event-route-store.js';
import { destinationIdsOf, sourceTypes } from './event-subscription.js';

/** Checks the sources of a subscription, derives its event routes, and starts its snapshots. */
export class EventSubscriptionBehaviour implements ResourceBehaviour {
  constructor(private readonly catalogue: EventCatalogue) {}

  async prepare({ trx, context, attributes }: PendingChange): Promise<Attributes> {
    const types = sourceTypes(attributes);
    const others = types.filter((type) => !this.catalogue.has(type));
    const registered = await new TypeVersionStore(trx).typeIds(context.accountId, others);
    const unknown = types.flatMap((type, index) =>
      this.catalogue.has(type) || registered.has(type)
        ? []
        : [
            {
              pointer: `/sources/${index}/type`,
              detail:
                type === destinationTestEvent.type
                  ? `${type} cannot be subscribed to: a test event is delivered only to the tested destination`
                  : `${JSON.stringify(type)} is not an event type: GET /event_types lists the event types`,
            },
          ],
    );
    if (unknown.length > 0) throw invalidInput(unknown);
    const resourceTypeIds = [...new Set(registered.values())].toSorted();
    return { ...attributes, sources: types.map((type) => ({ type })), resource_type_ids: resourceTypeIds };
  }

  /** @throws Problem `changes_in_progress` when the new routes would miss changes in progress */
  async afterWrite({ trx, context, row }: WrittenChange): Promise<void> {
    const added = await new EventRouteStore(trx).replace({
      accountId: row.accountId,
      subscriptionId: row.id,
      eventTypes: sourceTypes(row.attributes),
      destinationIds: destinationIdsOf(row.attributes),
    });
    if (added.length === 0) return;
    await startSnapshots(trx, context, row, added);
    await new RouteFence(trx).close();
    await new WideAccountStore(trx).refresh(row.accountId, [...new Set(added.map(({ eventType }) => eventType))]);
  }
}

/** Starts a snapshot for each family whose snapshot type is among the new routes. */
async function startSnapshots(
  trx: Transaction,
  { operationId, baseUrl }: RequestContext,
  { id: subscriptionId, accountId }: ResourceRow,
  added: readonly EventRoute[],
): Promise<void> {
  const destinations = new Map<string, string[]>();
  for (const { eventType, destinationId } of added) {
    const kind = /^(.+)_snapshot\.v0$/.exec(eventType)?.[1];
    if (kind === undefined) continue;
    const ids = destinations.get(kind);
    if (ids) ids.push(destinationId);
    else destinations.set(kind, [destinationId]);
  }
  const snapshots = new EventSnapshotStore(trx);
  for (const [kind, destinationIds] of destinations) {
    await snapshots.create({ accountId, subscriptionId, kind, destinationIds, operationId, baseUrl });
  }
}
