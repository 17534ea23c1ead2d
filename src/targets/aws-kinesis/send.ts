import type { PutRecordsResultEntry } from '@aws-sdk/client-kinesis';
import type { BatchSender } from '../aws/batch-sender.js';
import { recordOutcome } from '../aws/record-outcome.js';
import type { Session } from '../aws/session.js';
import type { Outcome } from '../target.js';
import type { PutRecords } from './client.js';
import { type DataStreamRecord, dataStreamCallLimits, encodeDataStreamRecord } from './encode.js';
import { dataStreamNames, dataStreamWords } from './errors.js';

/** How a batch goes to a data stream. */
export function dataStreamSender(session: Session<PutRecords>): BatchSender<DataStreamRecord> {
  return {
    limits: dataStreamCallLimits,
    words: dataStreamWords,
    specialNames: dataStreamNames,
    encode: encodeDataStreamRecord,
    call: async (records, signal) => {
      const answer = await session.call((put) => put(records, signal), signal);
      return dataStreamOutcomes(records.length, answer.FailedRecordCount ?? 0, answer.Records ?? []);
    },
  };
}

/** Reads an answer with status 200, in which records may have failed: its entries have the order and number of the records. */
export function dataStreamOutcomes(
  records: number,
  failed: number,
  entries: readonly PutRecordsResultEntry[],
): readonly Outcome[] {
  return Array.from({ length: records }, (_, index) =>
    recordOutcome({ failed, entry: entries[index], names: dataStreamNames, words: dataStreamWords }),
  );
}
