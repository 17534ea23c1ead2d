import type { Attributes, ResourceRow } from './definition.js';

/** What a new resource is made of, beside the times. */
export type NewResource = Pick<ResourceRow, 'id' | 'accountId' | 'parentId' | 'leaseId' | 'attributes'>;

/** A resource that is about to be made, in its first version. */
export function newRow({ attributes, ...resource }: NewResource): ResourceRow {
  const now = new Date();
  return { ...resource, attributes: asStored(attributes), version: 1, createdAt: now, updatedAt: now };
}

/** A resource as a change of its attributes will leave it, in its next version. */
export function changedRow(before: ResourceRow, attributes: Attributes): ResourceRow {
  return {
    ...before,
    attributes: asStored(attributes),
    version: before.version + 1,
    updatedAt: new Date(),
  };
}

/** The attributes as the database will give them back: what JSON does not keep is gone, so that comparisons are honest. */
function asStored(attributes: Attributes): Attributes {
  const stored: Attributes = JSON.parse(JSON.stringify(attributes));
  return stored;
}
