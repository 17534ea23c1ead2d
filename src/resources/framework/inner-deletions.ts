import type { Transaction } from '../../database/database.js';
import type { RequestContext } from '../../http/request-context.js';
import { ChangeWriter, type WriterServices } from './change-writer.js';
import type { ResourceDefinition, ResourceRow } from './definition.js';
import { ResourceStore } from './resource-store.js';
import { ResourceView } from './resource-view.js';

/** What is within a resource of one of its child families. */
interface Inside {
  readonly child: ResourceDefinition;
  readonly rows: readonly ResourceRow[];
}

/**
 * Records the deletion of everything within a resource that is about to be deleted. All of that is locked before the first event is
 * recorded, since whoever changes a part of it meanwhile holds it when they wait to record theirs.
 * @param parent the locked resource, and its family
 * @returns the destinations that get the events
 */
export async function recordInnerDeletions(
  trx: Transaction,
  context: RequestContext,
  services: WriterServices,
  parent: { readonly definition: ResourceDefinition; readonly id: string },
): Promise<string[]> {
  const inside: Inside[] = [];
  const resources = new ResourceStore(trx);
  for (const child of parent.definition.children?.() ?? []) {
    inside.push({ child, rows: await resources.lockChildren(parent.id, child.name) });
  }
  const destinationIds: string[] = [];
  for (const { child, rows } of inside) {
    const view = new ResourceView(child, {});
    const writer = new ChangeWriter(child, services, {}, view);
    for (const row of rows) {
      const { body } = await view.toResponse(trx, context, row);
      destinationIds.push(...(await writer.record(trx, context, { action: 'deleted', row, shown: body })));
    }
  }
  return destinationIds;
}
