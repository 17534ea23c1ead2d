import type { Delivery } from '@waybill/client';
import { isOpen } from '../../api/deliveries.js';
import { lengthText } from '../../time/format.js';

/** States of deliveries, those that need a person first. */
const order: readonly Delivery['state'][] = ['rejected', 'expired', 'cancelled', 'pending', 'in_flight', 'delivered'];

const words: Readonly<Record<Delivery['state'], string>> = {
  rejected: 'rejected',
  expired: 'expired',
  cancelled: 'cancelled',
  pending: 'waiting',
  in_flight: 'being sent',
  delivered: 'delivered',
};

/** Returns deliveries in the order in which they need a person: failed ones, waiting ones, then the slowest ones. */
export function byUrgency(deliveries: readonly Delivery[]): readonly Delivery[] {
  return deliveries.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || lengthOf(b) - lengthOf(a));
}

/**
 * Returns deliveries in the order that is shown already, so that no row moves when a state changes. Those that are not
 * shown yet follow by urgency.
 * @param shown ids of the deliveries that are shown, in their order
 */
export function inShownOrder(deliveries: readonly Delivery[], shown: readonly string[]): readonly Delivery[] {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const known = new Set(shown);
  return [...shown.flatMap((id) => byId.get(id) ?? []), ...byUrgency(deliveries.filter(({ id }) => !known.has(id)))];
}

/** Returns how many deliveries have each state, and how long the slowest one took. */
export function summaryOf(deliveries: readonly Delivery[]): string {
  const counts = order.flatMap((state) => {
    const count = deliveries.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${words[state]}`];
  });
  const done = deliveries.filter(({ state }) => state === 'delivered').map(lengthOf);
  return [...counts, ...(done.length === 0 ? [] : [`slowest delivered after ${lengthText(Math.max(...done))}`])].join(
    ', ',
  );
}

/** Time from the event to the end of its delivery in milliseconds; 0 before the end. */
function lengthOf(delivery: Delivery): number {
  const { created_at: created, finished_at: finished } = delivery;
  return isOpen(delivery) || finished === null ? 0 : Date.parse(finished) - Date.parse(created);
}
