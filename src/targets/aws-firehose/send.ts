import type { BatchSender } from '../aws/batch-sender.js';
import { recordOutcomes } from '../aws/record-outcome.js';
import type { Session } from '../aws/session.js';
import type { PutRecordBatch } from './client.js';
import type { DeliveryStreamConfig } from './config.js';
import { type DeliveryStreamRecord, deliveryStreamLimits, encodeDeliveryStreamRecord, linePacking } from './encode.js';
import { deliveryStreamErrorNames, deliveryStreamMessages } from './errors.js';

const vendor = { messages: deliveryStreamMessages, errorNames: deliveryStreamErrorNames };

/** Sends batches to a delivery stream. */
export function deliveryStreamSender(
  session: Session<PutRecordBatch>,
  records: DeliveryStreamConfig['records'],
): BatchSender<DeliveryStreamRecord> {
  return {
    ...(records === 'packed' && { packing: linePacking }),
    limits: deliveryStreamLimits,
    ...vendor,
    encode: encodeDeliveryStreamRecord,
    call: async (part, signal) => {
      const data = part.map((record) => record.data);
      const response = await session.call((put) => put(data, signal), signal);
      return recordOutcomes(part.length, response.RequestResponses ?? [], ({ RecordId }) => RecordId, vendor);
    },
  };
}
