import type { Attributes, ResourceRow } from '../definition/definition.js';

/** A new resource without version and times. */
export type NewResource = Pick<ResourceRow, 'id' | 'accountId' | 'parentId' | 'leaseId' | 'attributes'>;

/** Returns the row of a new resource, in version 1. */
export function newRow({ attributes, ...resource }: NewResource): ResourceRow {
  const now = new Date();
  return { ...resource, attributes: asStored(attributes), version: 1, createdAt: now, updatedAt: now };
}

/** Returns the row of a changed resource, in its next version. */
export function changedRow(before: ResourceRow, attributes: Attributes): ResourceRow {
  return {
    ...before,
    attributes: asStored(attributes),
    version: before.version + 1,
    updatedAt: new Date(),
  };
}

/**
 * Returns the attributes as the database returns them: without what JSON cannot hold, for exact comparisons.
 */
function asStored(attributes: Attributes): Attributes {
  const stored: Attributes = JSON.parse(JSON.stringify(attributes));
  return stored;
}
