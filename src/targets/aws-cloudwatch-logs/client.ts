// Imported by `loadClient` of the target: the vendor's client takes time to load.
import type { PutLogEventsCommandOutput } from '@aws-sdk/client-cloudwatch-logs';
import { clientOptions, withoutCallLog } from '../aws/client-options.js';
import type { ConnectionContext } from '../target.js';
import { type LogGroupConfig, logGroupAddress } from './config.js';
import type { LogRecord } from './encode.js';
import { CloudWatchLogsClient, CreateLogStreamCommand, PutLogEventsCommand } from './vendor.js';

/** The calls to one log stream. */
export interface LogStreamClient {
  /** PutLogEvents. */
  put(records: readonly LogRecord[], signal: AbortSignal): Promise<PutLogEventsCommandOutput>;
  /** CreateLogStream. */
  create(signal: AbortSignal): Promise<void>;
}

/**
 * Opens a client for the destination's log stream.
 * @throws SetupError when the credentials are incomplete
 */
export function openClient(config: LogGroupConfig, context: ConnectionContext): LogStreamClient {
  const address = logGroupAddress(config.log_group_arn);
  if (!address) throw new TypeError('The configuration of the log group has not been validated.');
  const client = withoutCallLog(new CloudWatchLogsClient(clientOptions(config.auth, address.region, context)));
  const names = {
    logGroupName: address.group,
    logStreamName: address.stream ?? logStreamName(context.destinationId),
  };
  return {
    put: (records, signal) =>
      client.send(
        new PutLogEventsCommand({
          ...names,
          logEvents: records.map(({ message, timestamp }) => ({ message, timestamp })),
        }),
        { abortSignal: signal },
      ),
    create: async (signal) => {
      await client.send(new CreateLogStreamCommand(names), { abortSignal: signal });
    },
  };
}

/** Returns the name of a destination's log stream. */
function logStreamName(destinationId: string): string {
  return `waybill/${destinationId}`;
}
