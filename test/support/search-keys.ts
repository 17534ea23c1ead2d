import type { SearchKeys } from '../../src/events/envelope/search-keys.js';

/** The searched columns of an event whose author does not matter to a test. */
export const anySearchKeys: SearchKeys = {
  principalId: 'system',
  credentialId: null,
  operationId: 'op_1',
  changedFields: null,
};
