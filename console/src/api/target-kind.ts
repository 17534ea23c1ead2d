import type { EventDestinationStatus } from '@waybill/client';

/** Kind of a target: the member of a destination's `target` that is set. */
export type TargetKind = EventDestinationStatus['target_kind'];

/** Names of the services that events are sent to. */
const services: Readonly<Record<TargetKind, string>> = {
  delivery_stream: 'Amazon Data Firehose',
  data_stream: 'Kinesis Data Streams',
  log_group: 'CloudWatch Logs',
  monitoring: 'Datadog Logs',
  log_ingestion: 'Azure Monitor Logs',
};

/** Returns the name of the service of a kind of target: `Kinesis Data Streams`. */
export function serviceOf(kind: TargetKind): string {
  return services[kind];
}
