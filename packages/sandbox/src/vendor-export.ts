import { gzipSync } from 'node:zlib';
import { isObject, parseJson } from './protocol.js';
import type { ReceivedEvent, TargetKind } from './sandbox-contract.js';

/**
 * Returns what an export of the vendor holds of events that one target has accepted: a line for each, or an object in
 * S3, compressed with gzip. Targets that store members write them anew: in another order, with other escapes, and
 * numbers in another form.
 */
export function vendorExport(target: TargetKind, events: readonly ReceivedEvent[]): Buffer {
  if (target === 'delivery_stream') return gzipSync(events.map(({ body }) => body).join(''));
  const lines = target === 'log_ingestion' ? rowsOf(events) : events.map((event) => lineOf(target, event));
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

function lineOf(target: TargetKind, { position, body, partitionKey, receivedAtMs }: ReceivedEvent): string {
  const id = String(position).padStart(56, '0');
  switch (target) {
    // https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetRecords.html
    case 'data_stream':
      return JSON.stringify({
        SequenceNumber: id,
        ApproximateArrivalTimestamp: receivedAtMs / 1_000,
        Data: Buffer.from(body).toString('base64'),
        PartitionKey: partitionKey,
      });
    // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilteredLogEvent.html
    case 'log_group':
      return JSON.stringify({ eventId: id, ingestionTime: receivedAtMs, message: body, timestamp: receivedAtMs });
    // https://docs.datadoghq.com/api/latest/logs/#search-logs-post
    case 'monitoring': {
      const members = parseJson(body);
      if (!isObject(members)) return JSON.stringify({ id, type: 'log', attributes: { message: body } });
      const attributes = rewritten(withoutEmpty(members));
      return `{"id":"${id}","type":"log","attributes":{"status":"info","attributes":${attributes}}}`;
    }
    default:
      return body;
  }
}

/**
 * Returns the rows of a table with a column for each member. A column of text is never null. The query API has dynamic
 * columns as text.
 * https://learn.microsoft.com/kusto/query/scalar-data-types/null-values
 */
function rowsOf(events: readonly ReceivedEvent[]): readonly string[] {
  const rows = events.map(({ body }): Readonly<Record<string, unknown>> => ({ ...Object(JSON.parse(body)) }));
  const texts = new Map(rows.flatMap(Object.entries).map(([name, value]) => [name, typeof value === 'string']));
  return rows.map((row) => {
    const cells = Array.from(texts, ([name, isText]) => [name, cellOf(name, row[name] ?? (isText ? '' : null))]);
    return JSON.stringify({ TenantId: 'sandbox', ...Object.fromEntries(cells), Type: 'Audit_CL', _ResourceId: '' });
  });
}

function cellOf(name: string, value: unknown): unknown {
  // A column of times has seven digits of a second.
  if (name === 'event_timestamp') return String(value).replace('Z', '0000Z');
  return typeof value === 'object' && value !== null ? rewritten(value) : value;
}

/** Returns a value as JSON that means the same. */
function rewritten(value: unknown): string {
  if (typeof value === 'number') return value.toExponential();
  if (Array.isArray(value)) return `[${value.map(rewritten).join(', ')}]`;
  if (isObject(value)) {
    const names = Object.keys(value).toSorted().toReversed();
    return `{${names.map((name) => `${rewritten(name)}: ${rewritten(value[name])}`).join(', ')}}`;
  }
  return JSON.stringify(value).replaceAll(/[^ -~]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Returns a value without members that are null or an empty list. Datadog does not document it; a report:
 * https://github.com/DataDog/datadog-agent/issues/31657
 */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, one]) => one !== null && !(Array.isArray(one) && one.length === 0));
  return Object.fromEntries(members.map(([name, one]) => [name, withoutEmpty(one)]));
}
