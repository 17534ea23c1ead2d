import {
  repairs,
  unevaluatedReasons,
  unevaluatedResults,
  type DeliveryObserver,
} from '../delivery/delivery-observer.js';
import { targetKinds } from '../targets/target.js';
import type { Instruments } from './instruments.js';

/** Counts and times deliveries in the metrics of the process. */
export function measuredDeliveries(instruments: Instruments): DeliveryObserver {
  const { deliveries, latency, attempts, inFlight, batchRecords, send, claims, claimed } = instruments;
  startAtZero(instruments);
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
          const now = performance.now();
          let next = 0;
          // `delivered` is in the order of `batch`.
          for (const { id, requestedAt } of batch) {
            if (delivered[next]?.id !== id) continue;
            next += 1;
            // The database's clock may have been set back since.
            latency.observe({ target }, Math.max(0, now - requestedAt) / 1_000);
          }
        },
        ended() {
          inFlight.dec({ target });
          if (!isSettled) attempts.inc({ target, outcome: 'fault' });
        },
      };
    },
    swept(found) {
      for (const [repair, count] of Object.entries(found)) instruments.repairs.inc({ repair }, count);
    },
    workerDied(leases) {
      instruments.deadWorkers.inc();
      instruments.endedLeases.inc(leases);
    },
    cancelled: (count) => instruments.cancelled.inc(count),
    redelivered: (count) => instruments.redeliveries.inc(count),
    unevaluated: (result, reason) => instruments.unevaluated.inc({ result, reason }),
  };
}

/** Creates the series of the alerts: `increase()` misses the first event of a series that begins with it. */
function startAtZero({ deliveries, repairs: repaired, unevaluated }: Instruments): void {
  for (const target of targetKinds)
    for (const outcome of ['delivered', 'rejected', 'expired']) deliveries.inc({ target, outcome }, 0);
  for (const repair of repairs) repaired.inc({ repair }, 0);
  for (const result of unevaluatedResults)
    for (const reason of unevaluatedReasons) unevaluated.inc({ result, reason }, 0);
}
