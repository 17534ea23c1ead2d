import type { RelayStatus } from './status-store.js';

/** A metric of the relay, and what its value is. */
interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly labels: readonly string[];
  /** Returns the value, or the values by labels; null for none. */
  readonly value: (status: RelayStatus, publishes: boolean) => number | Labelled | null;
}

interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of the outbox, the same from each relay but `waybill_outbox_relay_publishes`. */
export const metrics: readonly Metric[] = [
  {
    name: 'waybill_outbox_waiting_events',
    type: 'gauge',
    help: 'Events that wait to be published, without the held ones. Counted up to 10,000.',
    labels: [],
    value: ({ waiting }) => waiting,
  },
  {
    name: 'waybill_outbox_oldest_waiting_seconds',
    type: 'gauge',
    help: 'Time since the first waiting event was recorded. 0 if none waits.',
    labels: [],
    value: ({ oldestRecordedAt }) => (oldestRecordedAt === null ? 0 : secondsSince(oldestRecordedAt)),
  },
  {
    name: 'waybill_outbox_rejected_events',
    type: 'gauge',
    help: 'Events that Waybill has rejected and that are not retried, repaired or discarded. Counted up to 10,000.',
    labels: [],
    value: ({ rejected }) => rejected,
  },
  {
    name: 'waybill_outbox_held_events',
    type: 'gauge',
    help: 'Events that wait for a rejected event of their resource. Counted up to 10,000.',
    labels: [],
    value: ({ held }) => held,
  },
  {
    name: 'waybill_outbox_published_events_total',
    type: 'counter',
    help: 'Events published since the installation of the outbox.',
    labels: [],
    value: ({ published }) => published,
  },
  {
    name: 'waybill_outbox_last_published_timestamp_seconds',
    type: 'gauge',
    help: 'When events were published last. No value before the first time.',
    labels: [],
    value: ({ lastPublishedAt }) => lastPublishedAt && lastPublishedAt.getTime() / 1_000,
  },
  {
    name: 'waybill_outbox_delaying_transaction_seconds',
    type: 'gauge',
    help: 'Age of the open transaction for which the first waiting event waits. No value if it waits for none.',
    labels: ['pid', 'prepared', 'application'],
    value: ({ waitingFor }) =>
      waitingFor && {
        labels: {
          pid: String(waitingFor.pid ?? ''),
          prepared: waitingFor.prepared ?? '',
          application: waitingFor.applicationName ?? '',
        },
        value: (waitingFor.ageMs ?? 0) / 1_000,
      },
  },
  {
    name: 'waybill_outbox_relay_publishes',
    type: 'gauge',
    help: '1 if this relay publishes, 0 if another one does or none.',
    labels: [],
    value: (_, publishes) => Number(publishes),
  },
];

/**
 * Returns the metrics as Prometheus text.
 * @param publishes whether the relay of this process publishes
 */
export function metricsText(status: RelayStatus, publishes: boolean): string {
  const lines = metrics.flatMap(({ name, type, help, value }) => {
    const sample = value(status, publishes);
    const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
    if (sample === null) return head;
    if (typeof sample === 'number') return [...head, `${name} ${sample}`];
    const labels = Object.entries(sample.labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return [...head, `${name}{${labels.join(',')}} ${sample.value}`];
  });
  return `${lines.join('\n')}\n`;
}

function secondsSince(time: Date): number {
  return Math.max(0, (Date.now() - time.getTime()) / 1_000);
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
