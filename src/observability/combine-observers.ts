import { unobserved, type DeliveryObserver } from '../delivery/delivery-observer.js';

/** Forwards each call to every observer. The trace id of an attempt is the first that an observer has. */
export function combineObservers(observers: readonly DeliveryObserver[]): DeliveryObserver {
  const [only, ...others] = observers;
  if (!only) return unobserved;
  if (others.length === 0) return only;
  return {
    claimed: (target, records) => observers.forEach((each) => each.claimed(target, records)),
    attempt(lease) {
      const attempts = observers.map((each) => each.attempt(lease));
      return {
        get traceId() {
          return attempts.find(({ traceId }) => traceId !== undefined)?.traceId;
        },
        loaded: (deliveries) => attempts.forEach((each) => each.loaded(deliveries)),
        sent: () => attempts.forEach((each) => each.sent()),
        settled: (deliveries, settlement) => attempts.forEach((each) => each.settled(deliveries, settlement)),
        ended: () => attempts.forEach((each) => each.ended()),
      };
    },
    expired: (target, count) => observers.forEach((each) => each.expired(target, count)),
    swept: (found) => observers.forEach((each) => each.swept(found)),
    workerDied: (leases) => observers.forEach((each) => each.workerDied(leases)),
    cancelled: (count) => observers.forEach((each) => each.cancelled(count)),
    redelivered: (count) => observers.forEach((each) => each.redelivered(count)),
    unevaluated: (result, reason) => observers.forEach((each) => each.unevaluated(result, reason)),
  };
}
