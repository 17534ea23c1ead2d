import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** From a lone event on a quiet machine to an hour behind, in seconds. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
/** Up to the default DELIVERY_SEND_TIMEOUT_MS and one step beyond, in seconds. */
const sendBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to MAX_BATCH_RECORDS. */
const recordBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/**
 * Every metric of our own, on a registry of its own. `docs/metrics.md` is made from what is registered here. Labels have few
 * values: kinds, states, route patterns; never an id, a name or an address.
 */
export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    deliveries: new Counter({
      name: 'waybill_deliveries_total',
      help: 'Deliveries that came to an end in an attempt of this process, or expired behind one.',
      labelNames: ['target', 'outcome'],
      registers,
    }),
    latency: new Histogram({
      name: 'waybill_delivery_latency_seconds',
      help: 'Time from a change, or from when its redelivery was asked for, until its event was recorded as delivered.',
      labelNames: ['target'],
      buckets: latencyBuckets,
      registers,
    }),
    attempts: new Counter({
      name: 'waybill_attempts_total',
      help: 'Attempts at a batch, by what they say of the destination; `fault`: one that we could not load or record.',
      labelNames: ['target', 'outcome'],
      registers,
    }),
    inFlight: new Gauge({
      name: 'waybill_attempts_in_flight',
      help: 'Attempts that this process is making.',
      labelNames: ['target'],
      registers,
    }),
    batchRecords: new Histogram({
      name: 'waybill_batch_records',
      help: 'Events in an attempt.',
      labelNames: ['target'],
      buckets: recordBuckets,
      registers,
    }),
    send: new Histogram({
      name: 'waybill_send_duration_seconds',
      help: 'Time that a target took to answer an attempt, encoding included.',
      labelNames: ['target'],
      buckets: sendBuckets,
      registers,
    }),
    claims: new Counter({
      name: 'waybill_claims_total',
      help: 'Batches that were claimed and given to a job.',
      labelNames: ['target'],
      registers,
    }),
    claimed: new Counter({
      name: 'waybill_claimed_deliveries_total',
      help: 'Deliveries in those batches.',
      labelNames: ['target'],
      registers,
    }),
    repairs: new Counter({
      name: 'waybill_sweep_repairs_total',
      help: 'What sweeps made good: lanes `dispatched`, jobs `rebuilt` or `promoted`, deliveries `expired`.',
      labelNames: ['repair'],
      registers,
    }),
    redeliveries: new Counter({
      name: 'waybill_redeliveries_total',
      help: 'Finished deliveries that were made pending again on request.',
      registers,
    }),
    requests: new Counter({
      name: 'waybill_http_requests_total',
      help: 'Answers of the API, by the pattern of the route.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestDuration: new Histogram({
      name: 'waybill_http_request_duration_seconds',
      help: 'Time from the first byte of a request until its answer was handed over.',
      labelNames: ['method', 'route'],
      buckets: requestBuckets,
      registers,
    }),
    lanes: new Gauge({
      name: 'waybill_lanes',
      help: 'Destinations, by how they are.',
      labelNames: ['target', 'status'],
      registers,
    }),
    pending: new Gauge({
      name: 'waybill_pending_deliveries',
      help: 'Deliveries that wait or are in flight; a lower bound beyond 10,000 for a destination or 100,000 in all.',
      labelNames: ['target', 'status'],
      registers,
    }),
    oldest: new Gauge({
      name: 'waybill_oldest_pending_seconds',
      help: 'Lane age: time since the change of the first delivery that waits, the highest of all lanes; 0 when nothing waits.',
      labelNames: ['target', 'status'],
      registers,
    }),
    jobs: new Gauge({
      name: 'waybill_jobs',
      help: 'Jobs in the queue store. A destination has one at most.',
      labelNames: ['queue', 'state'],
      registers,
    }),
    storeUp: new Gauge({
      name: 'waybill_store_up',
      help: 'Whether the store answered when its gauges were read; where it did not, they are absent.',
      labelNames: ['store'],
      registers,
    }),
    workerAlive: new Gauge({
      name: 'waybill_worker_alive',
      help: 'Whether the worker of this process makes progress, as /livez says; absent without the role `worker`.',
      registers,
    }),
  };
}

/** The metrics by name. */
export type Instruments = ReturnType<typeof createInstruments>;
