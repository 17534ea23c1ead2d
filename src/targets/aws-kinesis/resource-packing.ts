import type { Packing } from '../aws/packing.js';
import { aggregate, aggregatedEventBytes, emptyAggregateBytes } from './aggregate.js';
import { type DataStreamRecord, dataStreamLimits, dataStreamRecord } from './encode.js';

/**
 * Most bytes of a packed record: a quarter of what a shard accepts in a second, so that it also fits beside the records
 * of other producers. https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html
 */
const MAX_PACKED_BYTES = 256 * 1024;

/** Events of one resource, and the bytes that the vendor counts for their record. */
interface Group {
  readonly events: DataStreamRecord[];
  bytes: number;
}

/**
 * Packs the events of one resource into an aggregated record with its partition key. The key of a record decides on its
 * shard, and KCL drops events whose own key belongs to another shard, so a record never holds two resources.
 *
 * The events of a call are grouped by resource, and not only consecutive ones: the vendor guarantees no order within a
 * call. The next call begins with the first event that does not fit.
 */
export const resourcePacking: Packing<DataStreamRecord> = {
  group: (events) => {
    const groups: Group[] = [];
    let call = new OpenCall();
    for (const event of events) {
      let fitting = call.add(event);
      if (fitting === null) {
        call = new OpenCall();
        fitting = call.add(event) ?? { events: [event], bytes: event.recordBytes };
      }
      if (fitting.events.length === 1) groups.push(fitting);
    }
    return groups.map((group) => group.events);
  },
  join: (events) => {
    const partitionKey = events[0]?.partitionKey ?? '';
    return dataStreamRecord(
      partitionKey,
      aggregate(
        partitionKey,
        events.map(({ data }) => data),
      ),
    );
  },
};

/** The records of one call. */
class OpenCall {
  private readonly groups = new Map<string, Group>();
  private bytes = 0;

  /** Adds an event to the record of its resource and returns that; null when it does not fit. */
  add(event: DataStreamRecord): Group | null {
    const { records, batchBytes } = dataStreamLimits;
    const group = this.groups.get(event.partitionKey);
    const bytes = group ? joinedBytes(group, event) : event.recordBytes;
    const total = this.bytes - (group?.bytes ?? 0) + bytes;
    const fits = group ? bytes <= MAX_PACKED_BYTES : this.groups.size < records;
    if (!fits || total > batchBytes) return null;
    this.bytes = total;
    if (group) {
      group.events.push(event);
      group.bytes = bytes;
      return group;
    }
    const opened = { events: [event], bytes };
    this.groups.set(event.partitionKey, opened);
    return opened;
  }
}

/** Bytes of a group with one more event: an event alone is not aggregated. */
function joinedBytes({ events, bytes }: Group, { partitionKey, data }: DataStreamRecord): number {
  const [first] = events;
  const before =
    first && events.length === 1
      ? Buffer.byteLength(partitionKey) + emptyAggregateBytes(partitionKey) + aggregatedEventBytes(first.data.length)
      : bytes;
  return before + aggregatedEventBytes(data.length);
}
