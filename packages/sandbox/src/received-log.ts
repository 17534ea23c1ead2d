import type { ReceivedCount, ReceivedEvent, TargetKind } from './sandbox-contract.js';
import { numberOf, SeenNumbers } from './seen-sequences.js';

/** One record of a call. */
export interface Arrival {
  /** Bytes of the event: text that is stored as UTF-8, or base64 that is decoded. */
  readonly body: string;
  readonly partitionKey?: string;
  /** Other stored fields of the record, serialized. */
  readonly attributes?: string;
}

/** Records of one call, with their bodies in one buffer. */
interface Segment {
  readonly target: TargetKind;
  readonly address: string;
  readonly receivedAtMs: number;
  /** Position of the first record. */
  readonly first: number;
  readonly bodies: Buffer;
  /** End of each record in `bodies`. */
  readonly ends: Uint32Array;
  readonly partitionKeys: readonly (string | undefined)[] | undefined;
  readonly attributes: readonly (string | undefined)[] | undefined;
}

interface Count {
  readonly target: TargetKind;
  readonly address: string;
  readonly numbers: SeenNumbers;
  events: number;
  bytes: number;
  repeats: number;
  lastAtMs: number;
}

export interface ReceivedFilter {
  readonly target?: TargetKind;
  readonly address?: string;
  /** Only events with a greater position. */
  readonly after?: number;
}

/** Events that the targets accepted, in the order of arrival. Needs about 30 bytes for each besides its body. */
export class ReceivedLog {
  private readonly retainsRecords: boolean;
  private readonly countByKey = new Map<string, Count>();
  private segments: Segment[] = [];
  private position = 0;

  /** `retain: false` only counts events, for benchmarks with millions of them. */
  constructor(options: { readonly retain: boolean }) {
    this.retainsRecords = options.retain;
  }

  /** Stores the records of one call. `encoding` is that of the bodies. */
  append(target: TargetKind, address: string, encoding: 'utf8' | 'base64', arrivals: readonly Arrival[]): void {
    if (arrivals.length === 0) return;
    const ends = new Uint32Array(arrivals.length);
    let bytes = 0;
    for (const [index, arrival] of arrivals.entries()) {
      bytes += Buffer.byteLength(arrival.body, encoding);
      ends[index] = bytes;
    }
    this.count(target, address, encoding, arrivals, bytes);
    const first = this.position + 1;
    this.position += arrivals.length;
    if (!this.retainsRecords) return;
    const bodies = Buffer.allocUnsafeSlow(bytes);
    let start = 0;
    for (const [index, arrival] of arrivals.entries()) {
      bodies.write(arrival.body, start, encoding);
      start = ends[index] ?? start;
    }
    const column = (read: (arrival: Arrival) => string | undefined) =>
      arrivals.some((arrival) => read(arrival) !== undefined) ? arrivals.map(read) : undefined;
    this.segments.push({
      target,
      address,
      receivedAtMs: Date.now(),
      first,
      bodies,
      ends,
      partitionKeys: column((arrival) => arrival.partitionKey),
      attributes: column((arrival) => arrival.attributes),
    });
  }

  /** Yields the events that match the filter. */
  *events(filter: ReceivedFilter = {}): Generator<ReceivedEvent> {
    const after = filter.after ?? 0;
    const segments = this.segments;
    for (let index = this.segmentAfter(after); index < segments.length; index += 1) {
      const segment = segments[index];
      if (segment === undefined) return;
      if (filter.target !== undefined && filter.target !== segment.target) continue;
      if (filter.address !== undefined && filter.address !== segment.address) continue;
      yield* eventsOf(segment, after);
    }
  }

  /** Counts events, repeats and bytes of each address since the last `clear`. */
  counts(): readonly ReceivedCount[] {
    return Array.from(this.countByKey.values(), ({ target, address, events, repeats, bytes, lastAtMs }) => ({
      target,
      address,
      events,
      repeats,
      bytes,
      lastAtMs,
    }));
  }

  /** Removes all events. Positions continue. */
  clear(): void {
    this.segments = [];
    this.countByKey.clear();
  }

  private count(
    target: TargetKind,
    address: string,
    encoding: 'utf8' | 'base64',
    arrivals: readonly Arrival[],
    bytes: number,
  ): void {
    const key = `${target} ${address}`;
    let count = this.countByKey.get(key);
    if (count === undefined) {
      count = {
        target,
        address,
        numbers: new SeenNumbers(),
        events: 0,
        bytes: 0,
        repeats: 0,
        lastAtMs: 0,
      };
      this.countByKey.set(key, count);
    }
    count.events += arrivals.length;
    count.bytes += bytes;
    count.lastAtMs = Date.now();
    for (const { body } of arrivals) {
      const number = numberOf(body, encoding);
      if (number !== null && count.numbers.record(number)) count.repeats += 1;
    }
  }

  /** Returns the index of the first segment with a position greater than `after`. */
  private segmentAfter(after: number): number {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const segment = this.segments[middle];
      if (segment !== undefined && segment.first + segment.ends.length - 1 <= after) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function* eventsOf(segment: Segment, after: number): Generator<ReceivedEvent> {
  const { target, address, receivedAtMs, bodies, ends } = segment;
  for (let index = Math.max(0, after - segment.first + 1); index < ends.length; index += 1) {
    const partitionKey = segment.partitionKeys?.[index];
    const attributes = segment.attributes?.[index];
    yield {
      position: segment.first + index,
      target,
      address,
      body: bodies.toString('utf8', index === 0 ? 0 : ends[index - 1], ends[index]),
      ...(partitionKey === undefined ? {} : { partitionKey }),
      ...(attributes === undefined ? {} : { attributes }),
      receivedAtMs,
    };
  }
}
