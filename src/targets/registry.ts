import { logGroup } from './aws-cloudwatch-logs/target.js';
import { deliveryStream } from './aws-firehose/target.js';
import { dataStream } from './aws-kinesis/target.js';
import { logIngestion } from './azure-logs-ingestion/target.js';
import { monitoring } from './datadog-logs/target.js';
import type { BatchLimits, Target, TargetKind } from './target.js';

/** Every target, in the order in which forms offer them. A kind without a target does not compile. */
const targets = {
  data_stream: dataStream,
  delivery_stream: deliveryStream,
  log_group: logGroup,
  monitoring,
  log_ingestion: logIngestion,
} satisfies Readonly<Record<TargetKind, Target>>;

/** Every target. */
export const allTargets: readonly Target[] = Object.values(targets);

/** Returns the target of a kind. Its `connect` takes a configuration that its `config` has validated. */
export function targetOf(kind: TargetKind): Target {
  return targets[kind];
}

/** Limits of a batch for each kind of target. */
export const targetLimits: Readonly<Record<TargetKind, BatchLimits>> = {
  delivery_stream: deliveryStream.limits,
  data_stream: dataStream.limits,
  log_group: logGroup.limits,
  monitoring: monitoring.limits,
  log_ingestion: logIngestion.limits,
};
