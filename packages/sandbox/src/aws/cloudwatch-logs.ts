import { isObject, type HttpResponse, type Protocol } from '../protocol.js';
import type { Arrival, ReceivedLog } from '../received-log.js';
import type { AccessKeys } from './credentials.js';
import { amzError, amzJson, constraint, jsonProtocol, type JsonCall, type JsonInput } from './json-protocol.js';

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html
const MOST_EVENTS = 10_000;
const MOST_CALL_BYTES = 1_048_576;
const EVENT_OVERHEAD_BYTES = 26;
const DAY_MS = 24 * 60 * 60 * 1000;
const OLDEST_MS = 14 * DAY_MS;
const NEWEST_MS = 2 * 60 * 60 * 1000;
const groupPattern = /^[.\-_/#A-Za-z0-9]{1,512}$/;
const streamPattern = /^[^:*]{1,512}$/;

/** Existing log streams, as `<group>/<stream>`. */
export type LogStreams = Set<string>;

/** CloudWatch Logs: CreateLogStream and PutLogEvents. Its addresses are `<log group>/<log stream>`. */
export function cloudwatchLogs(keys: AccessKeys, log: ReceivedLog, streams: LogStreams): Protocol {
  return jsonProtocol(
    {
      service: 'log_group',
      prefix: 'Logs_20140328',
      name: 'logs',
      addressOf: (input) => namesOf(input).join('/'),
      carries: carriesMessage,
      addressError,
      operations: new Map([
        ['CreateLogStream', ({ address }) => createLogStream(address, streams)],
        ['PutLogEvents', (call) => putLogEvents(call, log, streams)],
      ]),
      errors: () => ({
        throttle: () => amzError(400, 'ThrottlingException', 'Rate exceeded'),
        not_found: groupNotFound,
        too_large: () => tooLarge(MOST_CALL_BYTES + 1),
        malformed: () => invalid('Log event message cannot be read.'),
        failure: () => amzError(500, 'ServiceUnavailableException', 'Service Unavailable'),
      }),
    },
    keys,
  );
}

/** Returns the names of the log group and of the log stream; empty if the request has none. */
function namesOf({ logGroupName: group, logStreamName: stream }: JsonInput): readonly [string, string] {
  return [typeof group === 'string' ? group : '', typeof stream === 'string' ? stream : ''];
}

function addressError({ input }: JsonCall): HttpResponse | undefined {
  const [group, stream] = namesOf(input);
  if (!groupPattern.test(group))
    return invalid(
      `1 validation error detected: Value '${group}' at 'logGroupName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\.\\-_/#A-Za-z0-9]+`,
    );
  if (!streamPattern.test(stream))
    return invalid(
      `1 validation error detected: Value '${stream}' at 'logStreamName' failed to satisfy constraint: Member must satisfy regular expression pattern: [^:*]*`,
    );
  return group.startsWith('missing') || group.includes('/missing') ? groupNotFound() : undefined;
}

function createLogStream(address: string, streams: LogStreams): HttpResponse {
  if (streams.has(address))
    return amzError(400, 'ResourceAlreadyExistsException', 'The specified log stream already exists');
  streams.add(address);
  return amzJson(200, {});
}

function putLogEvents({ input, address }: JsonCall, log: ReceivedLog, streams: LogStreams): HttpResponse {
  if (!streams.has(address))
    return amzError(400, 'ResourceNotFoundException', 'The specified log stream does not exist.');
  const { logEvents: events } = input;
  if (!Array.isArray(events) || events.length === 0) {
    return constraint('[]', 'logEvents', 'Member must have length greater than or equal to 1');
  }
  if (events.length > MOST_EVENTS) {
    return constraint('[...]', 'logEvents', `Member must have length less than or equal to ${MOST_EVENTS}`);
  }
  const read: { readonly timestamp: number; readonly message: string }[] = [];
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    const { timestamp, message }: Readonly<Record<string, unknown>> = isObject(event) ? event : {};
    const field = `logEvents.${index + 1}.member`;
    if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp) || timestamp < 0) {
      return constraint(String(timestamp), `${field}.timestamp`, 'Member must have value greater than or equal to 0');
    }
    if (typeof message !== 'string' || message === '') {
      return constraint('', `${field}.message`, 'Member must have length greater than or equal to 1');
    }
    bytes += Buffer.byteLength(message) + EVENT_OVERHEAD_BYTES;
    read.push({ timestamp, message });
  }
  if (bytes > MOST_CALL_BYTES) return tooLarge(bytes);
  const first = read[0]?.timestamp ?? 0;
  const last = read.at(-1)?.timestamp ?? 0;
  if (read.some(({ timestamp }, index) => timestamp < (read[index - 1]?.timestamp ?? 0))) {
    return invalid('Log events in a single PutLogEvents request must be in chronological order.');
  }
  if (last - first > DAY_MS) {
    return invalid('The batch of log events in a single PutLogEvents request cannot span more than 24 hours.');
  }
  return store(read, address, log);
}

/**
 * Stores the events within the time window. They are in ascending order: the too old ones come first, the too new ones
 * last.
 */
function store(
  events: readonly { readonly timestamp: number; readonly message: string }[],
  address: string,
  log: ReceivedLog,
): HttpResponse {
  const now = Date.now();
  const tooOldEnd = events.findLastIndex(({ timestamp }) => timestamp < now - OLDEST_MS) + 1;
  const tooNewStart = events.findIndex(({ timestamp }) => timestamp > now + NEWEST_MS);
  const accepted = events.slice(tooOldEnd, tooNewStart === -1 ? undefined : tooNewStart);
  const arrivals = accepted.map<Arrival>(({ message, timestamp }) => ({
    body: message,
    attributes: `{"timestamp":${timestamp}}`,
  }));
  log.append('log_group', address, 'utf8', arrivals);
  const rejected = {
    ...(tooOldEnd > 0 ? { tooOldLogEventEndIndex: tooOldEnd } : {}),
    ...(tooNewStart === -1 ? {} : { tooNewLogEventStartIndex: tooNewStart }),
  };
  const nextSequenceToken = `49${now.toString().padStart(54, '0')}`;
  return amzJson(200, {
    nextSequenceToken,
    ...(Object.keys(rejected).length === 0 ? {} : { rejectedLogEventsInfo: rejected }),
  });
}

function carriesMessage({ logEvents: events }: JsonInput, text: string): boolean {
  if (!Array.isArray(events)) return false;
  return events.some((event: unknown) => {
    const message = isObject(event) ? event['message'] : undefined;
    return typeof message === 'string' && message.includes(text);
  });
}

function groupNotFound(): HttpResponse {
  return amzError(400, 'ResourceNotFoundException', 'The specified log group does not exist.');
}

function invalid(message: string): HttpResponse {
  return amzError(400, 'InvalidParameterException', message);
}

function tooLarge(bytes: number): HttpResponse {
  return invalid(`Upload too large: ${bytes} bytes exceeds limit of ${MOST_CALL_BYTES}`);
}
