import type { DeliveryObserver } from '../delivery/delivery-observer.js';
import type { Instruments } from './instruments.js';

/** Counts and times deliveries in the metrics of the process. */
export function measuredDeliveries(instruments: Instruments): DeliveryObserver {
  const { deliveries, latency, attempts, inFlight, batchRecords, send, claims, claimed } = instruments;
  return {
    claimed(target, records) {
      claims.inc({ target });
      claimed.inc({ target }, records);
    },
    attempt({ targetKind: target }) {
      let sending = 0;
      let isSettled = false;
      inFlight.inc({ target });
      return {
        traceId: undefined,
        loaded(batch) {
          sending = performance.now();
          batchRecords.observe({ target }, batch.length);
        },
        sent: () => send.observe({ target }, (performance.now() - sending) / 1_000),
        settled(batch, { delivered, undelivered, outcome }) {
          isSettled = true;
          attempts.inc({ target, outcome });
          deliveries.inc({ target, outcome: 'delivered' }, delivered.length);
          for (const state of ['rejected', 'expired'] as const) {
            const count = undelivered.filter((other) => other.state === state).length;
            if (count > 0) deliveries.inc({ target, outcome: state }, count);
          }
          const now = Date.now();
          let next = 0;
          // `delivered` is in the order of `batch`.
          for (const { id, requestedAt } of batch) {
            if (delivered[next]?.id !== id) continue;
            next += 1;
            // The clocks of two machines may differ by more than the latency.
            latency.observe({ target }, Math.max(0, now - requestedAt.getTime()) / 1_000);
          }
        },
        ended() {
          inFlight.dec({ target });
          if (!isSettled) attempts.inc({ target, outcome: 'fault' });
        },
      };
    },
    expired: (target, count) => deliveries.inc({ target, outcome: 'expired' }, count),
    swept(found) {
      for (const [repair, count] of Object.entries(found)) instruments.repairs.inc({ repair }, count);
    },
    redelivered: (count) => instruments.redeliveries.inc(count),
  };
}
