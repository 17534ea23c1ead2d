import { dataStream } from './aws-kinesis/target.js';
import { deliveryStream } from './aws-firehose/target.js';
import { logGroup } from './aws-cloudwatch-logs/target.js';
import { logIngestion } from './azure-logs-ingestion/target.js';
import { monitoring } from './datadog-logs/target.js';
import type { BatchLimits, Target, TargetKind } from './target.js';

/** Every target: a kind without one does not compile. */
const targets = {
  delivery_stream: deliveryStream,
  data_stream: dataStream,
  log_group: logGroup,
  monitoring,
  log_ingestion: logIngestion,
} satisfies Readonly<Record<TargetKind, Target>>;

/** The target of a kind. What it connects to must have been validated by its `config`. */
export function targetOf(kind: TargetKind): Target {
  return targets[kind];
}

/** What one call of each kind of target may carry: what a batch is claimed by. */
export const targetLimits: Readonly<Record<TargetKind, BatchLimits>> = {
  delivery_stream: deliveryStream.limits,
  data_stream: dataStream.limits,
  log_group: logGroup.limits,
  monitoring: monitoring.limits,
  log_ingestion: logIngestion.limits,
};
