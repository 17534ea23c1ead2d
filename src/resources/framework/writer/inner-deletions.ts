import type { Transaction } from '../../../database/database.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import type { ResourceDefinition, ResourceRow } from '../definition/definition.js';
import { ResourceView } from '../service/resource-view.js';
import { ResourceStore } from '../store/resource-store.js';
import { ChangeWriter } from './change-writer.js';
import type { WriterServices } from './writer-services.js';

/** The children of a resource in one family. */
interface Children {
  readonly child: ResourceDefinition;
  readonly rows: readonly ResourceRow[];
}

/**
 * Records the deletion of the children of a resource that is about to be deleted. All children are locked before the
 * first event is recorded: a concurrent change of a child holds its lock while it waits to record an event.
 * @param parent the locked resource and its family
 * @returns the ids of the destinations that get the events
 */
export async function recordInnerDeletions(
  trx: Transaction,
  context: RequestContext,
  services: WriterServices,
  parent: { readonly definition: ResourceDefinition; readonly id: string },
): Promise<string[]> {
  const children: Children[] = [];
  const resources = new ResourceStore(trx);
  for (const child of parent.definition.children?.() ?? []) {
    children.push({ child, rows: await resources.lockChildren(parent.id, child.name) });
  }
  const destinationIds: string[] = [];
  for (const { child, rows } of children) {
    const view = new ResourceView(child, {}, services.addresses);
    const writer = new ChangeWriter(child, services, {}, view);
    for (const row of rows) {
      const { body } = await view.toResponse(trx, context, row);
      destinationIds.push(...(await writer.record(trx, context, { action: 'deleted', row, object: body })));
    }
  }
  return destinationIds;
}
