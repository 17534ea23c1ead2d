// Imported by `loadClient` of the target: the vendor's client takes time to load.
import type { PutRecordsCommandOutput } from '@aws-sdk/client-kinesis';
import { clientOptions, withoutCallLog } from '../aws/client-options.js';
import type { ConnectionContext } from '../target.js';
import { type DataStreamConfig, dataStreamAddress } from './config.js';
import type { DataStreamRecord } from './encode.js';
import { KinesisClient, PutRecordsCommand } from './vendor.js';

/** One PutRecords. */
export type PutRecords = (
  records: readonly DataStreamRecord[],
  signal: AbortSignal,
) => Promise<PutRecordsCommandOutput>;

/**
 * Opens a client for one data stream.
 * @throws SetupError when the credentials are incomplete
 */
export function openClient(config: DataStreamConfig, context: ConnectionContext): PutRecords {
  const address = dataStreamAddress(config.stream_arn);
  if (!address) throw new TypeError('The configuration of the data stream has not been validated.');
  const client = withoutCallLog(new KinesisClient(clientOptions(config.auth, address.region, context)));
  return (records, signal) =>
    client.send(
      new PutRecordsCommand({
        StreamARN: config.stream_arn,
        Records: records.map(({ data, partitionKey }) => ({ Data: data, PartitionKey: partitionKey })),
      }),
      { abortSignal: signal },
    );
}
