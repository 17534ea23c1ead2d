import type { DeliveryFilter, DeliveryRange } from '../../src/destinations/deliveries/search/delivery-filter.js';

/** A filter that every delivery passes. */
export const everyDelivery: DeliveryFilter = {
  types: [],
  objectId: undefined,
  principalId: undefined,
  credentialId: undefined,
  operationId: undefined,
  changed: undefined,
  ip: undefined,
  text: undefined,
  from: undefined,
  to: undefined,
  state: undefined,
  sequenceFrom: undefined,
  sequenceTo: undefined,
};

/** The range of the newest deliveries, before one of them if given. */
export function newestDeliveries(beforeId?: number): DeliveryRange {
  const before = beforeId === undefined ? undefined : { deliveryId: beforeId };
  return { order: 'newest_first', before, after: undefined };
}
