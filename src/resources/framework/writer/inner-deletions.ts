import type { Transaction } from '../../../database/database.js';
import { PAGE_BYTES } from '../../../database/page-bytes.js';
import { MAX_EVENT_BYTES } from '../../../events/envelope/event-envelope.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import type { ResourceDefinition, ResourceRow } from '../definition/definition.js';
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
 * Records the deletion of the children of a resource that is about to be deleted, a few with each statement. All
 * children are locked before the first event is recorded: a concurrent change of a child holds its lock while it waits
 * to record an event.
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
    if (ids.length === 0) continue;
    const view = new ResourceView(child, {}, services.addresses);
    const writer = new ChangeWriter(child, services, {}, view);
    for (const id of await writer.recordDeletions(trx, context, pagesOf(resources, ids))) destinationIds.add(id);
  }
  return destinationIds;
}

/** Yields locked resources, a few at a time. */
async function* pagesOf(
  resources: ResourceStore<Transaction>,
  ids: readonly string[],
): AsyncGenerator<readonly ResourceRow[]> {
  for (let at = 0; at < ids.length; at += CHILDREN_AT_ONCE)
    yield await resources.locked(ids.slice(at, at + CHILDREN_AT_ONCE));
}
