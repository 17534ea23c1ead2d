import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

/** From a single event on an idle machine to one hour, in seconds. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
/** Up to one step above the default of DELIVERY_SEND_TIMEOUT_MS, in seconds. */
const sendBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to MAX_BATCH_RECORDS. */
const recordBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/**
 * Creates the metrics of Waybill in a new registry. `docs/metrics.md` is generated from it. Labels have few values:
 * kinds, states, route patterns; never an id, a name or an address.
 */
export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(settings: CounterConfiguration<Label>) =>
    new Counter({ ...settings, registers });
  const gauge = <Label extends string>(settings: GaugeConfiguration<Label>) => new Gauge({ ...settings, registers });
  const histogram = <Label extends string>(settings: HistogramConfiguration<Label>) =>
    new Histogram({ ...settings, registers });
  return {
    registry,
    deliveries: counter({
      name: 'waybill_deliveries_total',
      help: 'Deliveries that an attempt of this process finished.',
      labelNames: ['target', 'outcome'],
    }),
    latency: histogram({
      name: 'waybill_delivery_latency_seconds',
      help: 'Time from a change, or from the request of its redelivery, until its event is recorded as delivered, without pauses.',
      labelNames: ['target'],
      buckets: latencyBuckets,
    }),
    attempts: counter({
      name: 'waybill_attempts_total',
      help: 'Attempts at a batch, by outcome for the destination. `fault`: Waybill failed to load or record the batch.',
      labelNames: ['target', 'outcome'],
    }),
    inFlight: gauge({
      name: 'waybill_attempts_in_flight',
      help: 'Attempts in progress in this process.',
      labelNames: ['target'],
    }),
    batchRecords: histogram({
      name: 'waybill_batch_records',
      help: 'Events per attempt.',
      labelNames: ['target'],
      buckets: recordBuckets,
    }),
    send: histogram({
      name: 'waybill_send_duration_seconds',
      help: 'Duration of the call to the target, including encoding.',
      labelNames: ['target'],
      buckets: sendBuckets,
    }),
    claims: counter({
      name: 'waybill_claims_total',
      help: 'Batches claimed and given to a job.',
      labelNames: ['target'],
    }),
    claimed: counter({
      name: 'waybill_claimed_deliveries_total',
      help: 'Deliveries in claimed batches.',
      labelNames: ['target'],
    }),
    repairs: counter({
      name: 'waybill_sweep_repairs_total',
      help: 'Repairs by the sweeper: lanes `dispatched`, jobs `rebuilt`, `promoted` or `raised`, deliveries `expired`.',
      labelNames: ['repair'],
    }),
    deadWorkers: counter({
      name: 'waybill_dead_workers_total',
      help: 'Workers that died, each counted by the worker that ended its leases.',
    }),
    endedLeases: counter({
      name: 'waybill_dead_worker_leases_total',
      help: 'Leases of dead workers that were ended: the batches that were attempted again, and may be repeated.',
    }),
    cancelled: counter({
      name: 'waybill_cancelled_deliveries_total',
      help: 'Deliveries that were cancelled, because their destination was deleted.',
    }),
    redeliveries: counter({
      name: 'waybill_redeliveries_total',
      help: 'Finished deliveries made pending again by a redelivery.',
    }),
    unevaluated: counter({
      name: 'waybill_unevaluated_filters_total',
      help: 'Filters that could not be evaluated for an event, by what was done with it: `sent`, or taken into a backfill (`backfilled`). docs/filters.md has the reasons.',
      labelNames: ['result', 'reason'],
    }),
    requests: counter({
      name: 'waybill_http_requests_total',
      help: 'Responses of the API, by route pattern.',
      labelNames: ['method', 'route', 'status'],
    }),
    published: counter({
      name: 'waybill_published_events_total',
      help: 'Events sent to `POST /events`, by result: `accepted`, `duplicate` or `refused`. A batch is refused as a whole.',
      labelNames: ['result'],
    }),
    requestDuration: histogram({
      name: 'waybill_http_request_duration_seconds',
      help: 'Time from the first byte of a request until its response is sent.',
      labelNames: ['method', 'route'],
      buckets: requestBuckets,
    }),
    lanes: gauge({
      name: 'waybill_lanes',
      help: 'Destinations, by status. `muted` is `true` or `false`: alert about those that are not.',
      labelNames: ['target', 'status', 'muted'],
    }),
    pending: gauge({
      name: 'waybill_pending_deliveries',
      help: 'Pending and in-flight deliveries. A lower bound above 10,000 for a destination, and with a great many destinations.',
      labelNames: ['target', 'status', 'muted'],
    }),
    oldest: gauge({
      name: 'waybill_oldest_pending_seconds',
      help: 'Lane age: time since the change of the oldest pending delivery, without the pauses that have ended, the maximum of all lanes. 0 when none is pending.',
      labelNames: ['target', 'status', 'muted'],
    }),
    jobs: gauge({
      name: 'waybill_jobs',
      help: 'Jobs in the queue store. A destination has at most one.',
      labelNames: ['queue', 'state'],
    }),
    epoch: gauge({
      name: 'waybill_epoch',
      help: 'Epoch of the installation. It increases when the database was restored or failed over.',
    }),
    fenced: gauge({
      name: 'waybill_claims_fenced',
      help: '1 while no event gets a number and no attempt begins: from a start of the database until it is known whether it was restored or failed over.',
    }),
    waitingFanOuts: gauge({
      name: 'waybill_waiting_fan_out_parts',
      help: 'Parts of large fan-outs that wait for the background: up to 2,000 deliveries each. Counted up to 10,000.',
    }),
    oldestFanOut: gauge({
      name: 'waybill_oldest_fan_out_seconds',
      help: 'Time since the change of the oldest waiting part of a fan-out. 0 when none waits.',
    }),
    unsignedLogs: gauge({
      name: 'waybill_unsigned_logs',
      help: 'Destinations with a recorded number that is in no checkpoint of their log. Busy ones always have some.',
    }),
    oldestUnsigned: gauge({
      name: 'waybill_oldest_unsigned_seconds',
      help: 'Time since the oldest recorded number that is in no checkpoint. About PROOF_CHECKPOINT_SECONDS at most while logs keep up. 0 when there is none. Counts deliveries that were removed, and logs that were closed or changed.',
    }),
    storeUp: gauge({
      name: 'waybill_store_up',
      help: '1 when the store responded to the last read of its gauges. Otherwise 0, and the gauges are absent.',
      labelNames: ['store'],
    }),
    workerAlive: gauge({
      name: 'waybill_worker_alive',
      help: '1 when the worker of this process makes progress, as in /livez. Absent without the role `worker`.',
    }),
    clientLoaded: gauge({
      name: 'waybill_target_client_loaded',
      help: '1 when the vendor’s client is loaded in the worker of this process, 0 while deliveries wait for it. Absent for a kind of target without destinations.',
      labelNames: ['target'],
    }),
    clientLoad: gauge({
      name: 'waybill_target_client_load_seconds',
      help: 'Duration of loading the vendor’s client in the worker of this process.',
      labelNames: ['target'],
    }),
  };
}

export type Instruments = ReturnType<typeof createInstruments>;
