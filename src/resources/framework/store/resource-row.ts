import type { Attributes, ResourceRow } from '../definition/definition.js';

/** A new resource without version and times. By default it has no parent and no lease. */
export type NewResource = Pick<ResourceRow, 'id' | 'account_id' | 'kind' | 'attributes'> &
  Partial<Pick<ResourceRow, 'parent_id' | 'lease_id'>>;

/** Returns the row of a new resource, in version 1. */
export function newRow({ attributes, ...resource }: NewResource): ResourceRow {
  const now = new Date();
  const stored = { attributes: asStored(attributes), version: 1, created_at: now, updated_at: now };
  return { parent_id: null, lease_id: null, ...resource, ...stored };
}

/** Returns the row of a changed resource, in its next version. */
export function changedRow(before: ResourceRow, attributes: Attributes): ResourceRow {
  return {
    ...before,
    attributes: asStored(attributes),
    version: before.version + 1,
    updated_at: new Date(),
  };
}

/**
 * Returns the attributes as the database returns them: without what JSON cannot hold, for exact comparisons.
 */
function asStored(attributes: Attributes): ResourceRow['attributes'] {
  const stored: ResourceRow['attributes'] = JSON.parse(JSON.stringify(attributes));
  return stored;
}
