import type { PutLogEventsCommandOutput, RejectedLogEventsInfo } from '@aws-sdk/client-cloudwatch-logs';
import type { BatchSender } from '../aws/batch-sender.js';
import type { Session } from '../aws/session.js';
import type { Outcome } from '../target.js';
import { ended } from '../connection-errors.js';
import type { LogStreamClient } from './client.js';
import { ascending, type LogRecord, encodeLogRecord, logGroupCallLimits, tooFarApart } from './encode.js';
import { logGroupNames, logGroupWords } from './errors.js';

/** How a batch goes to a log group. */
export function logGroupSender(session: Session<LogStreamClient>): BatchSender<LogRecord> {
  return {
    limits: logGroupCallLimits,
    words: logGroupWords,
    specialNames: logGroupNames,
    encode: (event) => encodeLogRecord(event, Date.now()),
    arrange: ascending,
    apart: tooFarApart,
    call: (records, signal) => putLogEvents(session, records, signal),
  };
}

/** One call, and one more with the current time for the records whose own time the vendor does not take. */
async function putLogEvents(
  session: Session<LogStreamClient>,
  records: readonly LogRecord[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const answer = await putCreating(session, records, signal);
  const refused = refusedIndexes(records.length, answer.rejectedLogEventsInfo);
  if (refused.size === 0) return records.map(() => ({ kind: 'delivered' }));

  // The group keeps its events for a shorter time than 14 days, or our clock is wrong.
  const timestamp = Date.now();
  const again = records.filter((_, index) => refused.has(index)).map((record) => ({ ...record, timestamp }));
  const outcomes: Outcome[] = records.map(() => ({ kind: 'delivered' }));
  const lastAnswer = await putCreating(session, again, signal).catch((): null => null);
  const stillRefused = lastAnswer && refusedIndexes(again.length, lastAnswer.rejectedLogEventsInfo);
  // Ended by ourselves, the call says nothing of the destination, whatever was thrown.
  const failed = signal.aborted ? ended(signal) : restampFailed;
  for (const [position, index] of [...refused.keys()].entries()) {
    if (!stillRefused) outcomes[index] = failed;
    else if (stillRefused.has(position)) outcomes[index] = outsideWindow(stillRefused.get(position));
  }
  return outcomes;
}

/** Which records the vendor did not take, and why. */
export type RefusedIndexes = ReadonlyMap<number, 'TooOldLogEvent' | 'ExpiredLogEvent' | 'TooNewLogEvent'>;

/**
 * Reads `rejectedLogEventsInfo`: ascending timestamps make what is too old a head and what is too new a tail. 0 is an index like any
 * other. The vendor calls the end of what is too old exclusive, and says nothing of the end of what is expired; stand-ins treat
 * both as inclusive. They are read as inclusive here: at worst one record arrives twice, instead of being lost.
 */
export function refusedIndexes(records: number, info: RejectedLogEventsInfo | undefined): RefusedIndexes {
  const refused = new Map<number, 'TooOldLogEvent' | 'ExpiredLogEvent' | 'TooNewLogEvent'>();
  const {
    expiredLogEventEndIndex: expired,
    tooOldLogEventEndIndex: tooOld,
    tooNewLogEventStartIndex: tooNew,
  } = info ?? {};
  for (let index = 0; index < records; index += 1) {
    if (tooNew !== undefined && index >= tooNew) refused.set(index, 'TooNewLogEvent');
    else if (expired !== undefined && index <= expired) refused.set(index, 'ExpiredLogEvent');
    else if (tooOld !== undefined && index <= tooOld) refused.set(index, 'TooOldLogEvent');
  }
  return refused;
}

/** Puts, and creates the log stream when it is missing. When creating finds no group, that is what the caller sees. */
async function putCreating(
  session: Session<LogStreamClient>,
  records: readonly LogRecord[],
  signal: AbortSignal,
): Promise<PutLogEventsCommandOutput> {
  const put = (): Promise<PutLogEventsCommandOutput> =>
    session.call((client) => client.put(records, signal), signal);
  try {
    return await put();
  } catch (error) {
    if (!hasName(error, 'ResourceNotFoundException')) throw error;
  }
  try {
    await session.call((client) => client.create(signal), signal);
  } catch (error) {
    if (!hasName(error, 'ResourceAlreadyExistsException')) throw error;
  }
  return put();
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

const restampFailed: Outcome = {
  kind: 'retry',
  reason: {
    code: 'rejected_log_events',
    message: 'CloudWatch Logs did not take the time of the event, and the call with the current time failed.',
  },
};

function outsideWindow(code = 'rejected_log_events'): Outcome {
  const message = 'CloudWatch Logs takes neither the time of the event nor the current time of this service.';
  return { kind: 'rejected', grounds: 'record', reason: { code, message, httpStatus: 200 } };
}
