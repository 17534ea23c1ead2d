import type { PutLogEventsCommandOutput, RejectedLogEventsInfo } from '@aws-sdk/client-cloudwatch-logs';
import type { BatchSender } from '../aws/batch-sender.js';
import type { ErrorNames } from '../aws/failure-names.js';
import { messagesFor } from '../aws/outcome.js';
import type { Session } from '../aws/session.js';
import { abortOutcome } from '../connection-errors.js';
import type { Outcome } from '../target.js';
import type { LogStreamClient } from './client.js';
import { ascending, type LogRecord, encodeLogRecord, logGroupLimits, exceedsSpan, withOrderingKeys } from './encode.js';

const messages = messagesFor({
  resource: 'log group',
  service: 'CloudWatch Logs',
  action: 'logs:PutLogEvents and logs:CreateLogStream',
});

/**
 * Meaning of the vendor's error names for PutLogEvents and CreateLogStream.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html#API_PutLogEvents_Errors
 */
const errorNames: ErrorNames = {
  // The log class of the group accepts no such writes.
  InvalidOperationException: { kind: 'misconfigured' },
  // A quota of the account is exhausted: a retry may succeed, or the owner raises it.
  ServiceQuotaExceededException: { kind: 'throttled' },
};

/**
 * Sends one batch to a log group. Timestamps ascend from call to call, so that a reader who continues at the last
 * timestamp misses nothing.
 * @param latestTimestampMs timestamp of the last record before the batch
 */
export function logGroupSender(session: Session<LogStreamClient>, latestTimestampMs: number): BatchSender<LogRecord> {
  const latest = new LatestTimestamp(latestTimestampMs);
  const nowMs = Date.now();
  return {
    limits: logGroupLimits,
    messages,
    errorNames,
    encode: (event) => encodeLogRecord(event, nowMs),
    arrange: (records) => withOrderingKeys(ascending(records, latest.value), nowMs),
    exceedsSpan: (first, next) => exceedsSpan(first, next, nowMs),
    // Again: a call before this one may have sent refused records with the current time.
    call: (records, signal) => putLogEvents(session, latest, ascending(records, latest.value), signal),
  };
}

/** The timestamp of the last record that was delivered. A failed call does not count: its retry keeps its times. */
class LatestTimestamp {
  constructor(public value: number) {}

  delivered(records: readonly LogRecord[]): void {
    for (const { timestamp } of records) this.value = Math.max(this.value, timestamp);
  }
}

/** Makes one call, and a second one with the current time for the records whose own time the vendor refuses. */
async function putLogEvents(
  session: Session<LogStreamClient>,
  latest: LatestTimestamp,
  records: readonly LogRecord[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const response = await putCreating(session, records, signal);
  const refused = refusedIndexes(records.length, response.rejectedLogEventsInfo);
  latest.delivered(records.filter((_, index) => !refused.has(index)));
  const outcomes = records.map(deliveredAt);
  if (refused.size === 0) return outcomes;

  // The retention of the group is shorter than 14 days, or the clock of this service is wrong.
  const timestamp = Math.max(Date.now(), latest.value);
  const again = records.filter((_, index) => refused.has(index)).map((record) => ({ ...record, timestamp }));
  const lastResponse = await putCreating(session, again, signal).catch((): null => null);
  const stillRefused = lastResponse && refusedIndexes(again.length, lastResponse.rejectedLogEventsInfo);
  if (stillRefused) latest.delivered(again.filter((_, index) => !stillRefused.has(index)));
  // An aborted call does not blame the destination, whatever was thrown.
  const failed = signal.aborted ? abortOutcome(signal) : currentTimeFailed;
  for (const [position, index] of [...refused].entries()) {
    if (!stillRefused) outcomes[index] = failed;
    else if (stillRefused.has(position)) outcomes[index] = currentTimeRefused;
    else outcomes[index] = { kind: 'delivered', timestampMs: timestamp };
  }
  return outcomes;
}

function deliveredAt({ timestamp }: LogRecord): Outcome {
  return { kind: 'delivered', timestampMs: timestamp };
}

/**
 * Returns the indexes of the refused records. Timestamps ascend, so records that are too old are first and those too
 * new are last. The vendor documents the end index of too old records as exclusive and that of expired ones not at all;
 * emulators treat both as inclusive. Inclusive here: at worst one record arrives twice, and none is lost.
 */
export function refusedIndexes(records: number, info: RejectedLogEventsInfo | undefined): ReadonlySet<number> {
  const refused = new Set<number>();
  const {
    expiredLogEventEndIndex: expired,
    tooOldLogEventEndIndex: tooOld,
    tooNewLogEventStartIndex: tooNew,
  } = info ?? {};
  for (let index = 0; index < records; index += 1) {
    const isTooNew = tooNew !== undefined && index >= tooNew;
    const isExpired = expired !== undefined && index <= expired;
    const isTooOld = tooOld !== undefined && index <= tooOld;
    if (isTooNew || isExpired || isTooOld) refused.add(index);
  }
  return refused;
}

/**
 * Makes one call, and creates the log stream when it is missing.
 * @throws what the client throws, such as for a missing log group
 */
async function putCreating(
  session: Session<LogStreamClient>,
  records: readonly LogRecord[],
  signal: AbortSignal,
): Promise<PutLogEventsCommandOutput> {
  const put = (): Promise<PutLogEventsCommandOutput> => session.call((client) => client.put(records, signal), signal);
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

const currentTimeFailed: Outcome = {
  kind: 'retry',
  reason: {
    code: 'rejected_log_events',
    message: 'CloudWatch Logs refused the time of the event, and the call with the current time failed.',
  },
};

/** A retry: the clock of this service is wrong, and the record is not to blame. */
const currentTimeRefused: Outcome = {
  kind: 'retry',
  reason: {
    code: 'rejected_log_events',
    message: 'CloudWatch Logs refused the time of the event and the current time of this service.',
    httpStatus: 200,
  },
};
