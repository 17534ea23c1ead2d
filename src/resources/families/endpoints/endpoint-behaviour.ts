import { invalidInput } from '../../../problems/problem.js';
import { prepareEndpoint } from '../../building-blocks/served-urls/prepare-endpoint.js';
import type { PendingChange, PendingRemoval, ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition/definition.js';

/** Rules for changes by clients, who may create, change and delete cloud endpoints only. */
export class CloudEndpointBehaviour implements ResourceBehaviour {
  prepare(change: PendingChange): Promise<Attributes> {
    const { context, before, attributes } = change;
    if (before !== null) assertCloud(before);
    const owned = before === null ? { ...attributes, principal_id: context.principal.id } : attributes;
    return prepareEndpoint({ ...change, attributes: owned });
  }

  beforeDelete({ row }: PendingRemoval): void {
    assertCloud(row);
  }
}

function assertCloud({ id, attributes }: ResourceRow): void {
  if (attributes.type === 'cloud') return;
  const detail = `only cloud endpoints can be changed or deleted: ${id} has the type ${String(attributes.type)}`;
  throw invalidInput([{ pointer: '', detail }]);
}
