import type { BatchSender } from '../aws/batch-sender.js';
import { recordOutcomes } from '../aws/record-outcome.js';
import type { Session } from '../aws/session.js';
import type { PutRecords } from './client.js';
import type { DataStreamConfig } from './config.js';
import { type DataStreamRecord, dataStreamLimits, encodeDataStreamRecord } from './encode.js';
import { dataStreamErrorNames, dataStreamMessages } from './errors.js';
import { resourcePacking } from './resource-packing.js';

const vendor = { messages: dataStreamMessages, errorNames: dataStreamErrorNames };

/** Sends batches to a data stream. */
export function dataStreamSender(
  session: Session<PutRecords>,
  records: DataStreamConfig['records'],
): BatchSender<DataStreamRecord> {
  return {
    ...(records === 'packed' && { packing: resourcePacking }),
    limits: dataStreamLimits,
    ...vendor,
    encode: encodeDataStreamRecord,
    call: async (part, signal) => {
      const response = await session.call((put) => put(part, signal), signal);
      return recordOutcomes(part.length, response.Records ?? [], ({ SequenceNumber }) => SequenceNumber, vendor);
    },
  };
}
