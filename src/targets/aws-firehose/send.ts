import type { PutRecordBatchResponseEntry } from '@aws-sdk/client-firehose';
import type { BatchSender } from '../aws/batch-sender.js';
import { recordOutcome } from '../aws/record-outcome.js';
import type { Session } from '../aws/session.js';
import type { Outcome } from '../target.js';
import type { PutRecordBatch } from './client.js';
import type { DeliveryStreamConfig } from './config.js';
import {
  type DeliveryStreamRecord,
  deliveryStreamCallLimits,
  encodeDeliveryStreamRecord,
  linePacking,
} from './encode.js';
import { deliveryStreamErrorNames, deliveryStreamMessages } from './errors.js';

/** Sends batches to a delivery stream. */
export function deliveryStreamSender(
  session: Session<PutRecordBatch>,
  records: DeliveryStreamConfig['records'],
): BatchSender<DeliveryStreamRecord> {
  return {
    ...(records === 'packed' && { packing: linePacking }),
    limits: deliveryStreamCallLimits,
    messages: deliveryStreamMessages,
    errorNames: deliveryStreamErrorNames,
    encode: encodeDeliveryStreamRecord,
    call: async (part, signal) => {
      const data = part.map((record) => record.data);
      const response = await session.call((put) => put(data, signal), signal);
      return deliveryStreamOutcomes(part.length, response.RequestResponses ?? []);
    },
  };
}

/** Returns the outcomes of a response with status 200, whose entries have the order and number of the records. */
export function deliveryStreamOutcomes(
  records: number,
  entries: readonly PutRecordBatchResponseEntry[],
): readonly Outcome[] {
  return Array.from({ length: records }, (_, index) =>
    recordOutcome({
      errorCode: entries[index]?.ErrorCode,
      receipt: entries[index]?.RecordId,
      errorNames: deliveryStreamErrorNames,
      messages: deliveryStreamMessages,
    }),
  );
}
