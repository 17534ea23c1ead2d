import type { Transaction } from '../../../database/database.js';
import { PAGE_BYTES } from '../../../database/page-bytes.js';
import { MAX_EVENT_BYTES } from '../../../events/envelope/event-envelope.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import type { ResourceDefinition } from '../definition/definition.js';
import { ResourceView } from '../service/resource-view.js';
import { ResourceStore } from '../store/resource-store.js';
import { ChangeWriter } from './change-writer.js';
import type { WriterServices } from './writer-services.js';

/** Most children that are in memory at once. A resource is smaller than its event, so they have a page at most. */
const CHILDREN_AT_ONCE = PAGE_BYTES / MAX_EVENT_BYTES;

/** The children of a resource in one family. */
interface Children {
  readonly child: ResourceDefinition;
  readonly ids: readonly string[];
}

/**
 * Records the deletion of the children of a resource that is about to be deleted, a few at a time. All children are
 * locked before the first event is recorded: a concurrent change of a child holds its lock while it waits to record an
 * event.
 * @param parent the locked resource and its family
 * @returns the ids of the destinations that get the events
 */
export async function recordInnerDeletions(
  trx: Transaction,
  context: RequestContext,
  services: WriterServices,
  parent: { readonly definition: ResourceDefinition; readonly id: string },
): Promise<Set<string>> {
  const children: Children[] = [];
  const resources = new ResourceStore(trx);
  for (const child of parent.definition.children?.() ?? []) {
    children.push({ child, ids: await resources.lockChildren(parent.id, child.name) });
  }
  const destinationIds = new Set<string>();
  for (const { child, ids } of children) {
    const view = new ResourceView(child, {}, services.addresses);
    const writer = new ChangeWriter(child, services, {}, view);
    for (let at = 0; at < ids.length; at += CHILDREN_AT_ONCE) {
      for (const row of await resources.locked(ids.slice(at, at + CHILDREN_AT_ONCE))) {
        const { body } = await view.toResponse(trx, context, row);
        const receivers = await writer.record(trx, context, { action: 'deleted', row, object: body });
        for (const id of receivers) destinationIds.add(id);
      }
    }
  }
  return destinationIds;
}
