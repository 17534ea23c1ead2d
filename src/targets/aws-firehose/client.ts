// Imported by `loadClient` of the target: the vendor's client takes time to load.
import type { PutRecordBatchCommandOutput } from '@aws-sdk/client-firehose';
import { clientOptions, withoutCallLog } from '../aws/client-options.js';
import type { ConnectionContext } from '../target.js';
import { type DeliveryStreamConfig, deliveryStreamAddress } from './config.js';
import { FirehoseClient, PutRecordBatchCommand } from './vendor.js';

/** One PutRecordBatch. */
export type PutRecordBatch = (data: readonly Uint8Array[], signal: AbortSignal) => Promise<PutRecordBatchCommandOutput>;

/**
 * Opens a client for one delivery stream.
 * @throws SetupError when the credentials are incomplete
 */
export function openClient(config: DeliveryStreamConfig, context: ConnectionContext): PutRecordBatch {
  const address = deliveryStreamAddress(config.delivery_stream_arn);
  if (!address) throw new TypeError('The configuration of the delivery stream has not been validated.');
  const client = withoutCallLog(new FirehoseClient(clientOptions(config.auth, address.region, context)));
  return (data, signal) =>
    client.send(
      new PutRecordBatchCommand({
        DeliveryStreamName: address.name,
        Records: data.map((Data) => ({ Data })),
      }),
      { abortSignal: signal },
    );
}
