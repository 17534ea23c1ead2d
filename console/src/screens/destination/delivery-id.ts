/** Form of the ids of deliveries: the API takes at most 15 digits, also for the id after one. */
const DELIVERY_ID = /^dlv_([1-9]\d{0,13})$/;

/** Returns the id after the id of a delivery, whether it exists or not; null for a text that is no such id. */
export function idAfter(deliveryId: string): string | null {
  const number = DELIVERY_ID.exec(deliveryId)?.[1];
  return number === undefined ? null : `dlv_${Number(number) + 1}`;
}
