import type { TargetKind } from '../../src/targets/target.js';
import type { ReceivedCount, ReceivedEvent } from './sandbox-contract.js';
import { sequenceOf, SequenceTally } from './sequence-tally.js';

/** One record of a call, as it is handed to the log. */
export interface Arrival {
  /** Bytes of the event: text that is stored as UTF-8, or base64 that is decoded. */
  readonly body: string;
  readonly partitionKey?: string;
  /** What else the vendor would have stored of the record, serialized. */
  readonly attributes?: string;
}

/** The records of one call, their bodies end to end in one buffer. */
interface Segment {
  readonly target: TargetKind;
  readonly address: string;
  readonly receivedAtMs: number;
  /** Position of the first record. */
  readonly first: number;
  readonly bodies: Buffer;
  /** Where each record ends in `bodies`. */
  readonly ends: Uint32Array;
  readonly partitionKeys: readonly (string | undefined)[] | undefined;
  readonly attributes: readonly (string | undefined)[] | undefined;
}

/** What was counted at one address. */
interface Count {
  readonly target: TargetKind;
  readonly address: string;
  readonly sequences: SequenceTally;
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

/** What the targets accepted, in the order of arrival; bodies are kept as bytes, some 30 bytes beside them for each. */
export class ReceivedLog {
  private readonly retainsRecords: boolean;
  private readonly countByKey = new Map<string, Count>();
  private segments: Segment[] = [];
  private position = 0;

  /** With `retain: false` events are counted and forgotten: for benchmarks of millions. */
  constructor(options: { readonly retain: boolean }) {
    this.retainsRecords = options.retain;
  }

  /** Stores the records of one call. `encoding` says what `body` holds. */
  append(
    target: TargetKind,
    address: string,
    encoding: 'utf8' | 'base64',
    arrivals: readonly Arrival[],
  ): void {
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

  /** The events that pass the filter, decoded one by one as they are asked for. */
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

  /** How many events, repeats and bytes each address was sent, since the start or the last `clear`. */
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

  /** Forgets all events; positions go on from where they were. */
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
        sequences: new SequenceTally(),
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
      const sequence = sequenceOf(body, encoding);
      if (sequence !== null && count.sequences.repeats(sequence)) count.repeats += 1;
    }
  }

  /** Index of the first segment that holds a position greater than `after`. */
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
