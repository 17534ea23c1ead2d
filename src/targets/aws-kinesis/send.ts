import type { PutRecordsResultEntry } from '@aws-sdk/client-kinesis';
import type { BatchSender } from '../aws/batch-sender.js';
import { recordOutcome } from '../aws/record-outcome.js';
import type { Session } from '../aws/session.js';
import type { Outcome } from '../target.js';
import type { PutRecords } from './client.js';
import type { DataStreamConfig } from './config.js';
import { type DataStreamRecord, dataStreamCallLimits, encodeDataStreamRecord } from './encode.js';
import { dataStreamErrorNames, dataStreamMessages } from './errors.js';
import { resourcePacking } from './resource-packing.js';

/** Sends batches to a data stream. */
export function dataStreamSender(
  session: Session<PutRecords>,
  records: DataStreamConfig['records'],
): BatchSender<DataStreamRecord> {
  return {
    ...(records === 'packed' && { packing: resourcePacking }),
    limits: dataStreamCallLimits,
    messages: dataStreamMessages,
    errorNames: dataStreamErrorNames,
    encode: encodeDataStreamRecord,
    call: async (part, signal) => {
      const response = await session.call((put) => put(part, signal), signal);
      return dataStreamOutcomes(part.length, response.Records ?? []);
    },
  };
}

/** Returns the outcomes of a response with status 200, whose entries have the order and number of the records. */
export function dataStreamOutcomes(records: number, entries: readonly PutRecordsResultEntry[]): readonly Outcome[] {
  return Array.from({ length: records }, (_, index) =>
    recordOutcome({
      errorCode: entries[index]?.ErrorCode,
      receipt: entries[index]?.SequenceNumber,
      errorNames: dataStreamErrorNames,
      messages: dataStreamMessages,
    }),
  );
}
