import type { PackedRecords } from '../bisect.js';

/** How an encoded record counts against the vendor's limits. */
export interface EncodedRecord {
  /** Bytes against the limit of one record. */
  readonly recordBytes: number;
  /** Bytes against the limit of one call. */
  readonly callBytes: number;
  /**
   * The resources of its events, where the vendor responds record by record: a call holds at most one record of a
   * resource.
   */
  readonly orderingKeys?: readonly string[];
}

/** How a target puts several events into one record. */
export interface Packing<Encoded extends EncodedRecord> {
  /**
   * Groups events by the record that they share: each event once, the events of a group in the order given, no group
   * empty or above the vendor's limits.
   */
  group(events: readonly Encoded[]): readonly (readonly Encoded[])[];
  /** Returns the record of a group of two events or more. */
  join(events: readonly Encoded[]): Encoded;
}

/** A record of the vendor, and its events. */
export interface Packed<Encoded> {
  readonly record: Encoded;
  /** In order. */
  readonly events: readonly Encoded[];
}

/** Returns the records of some events, in the order of their first events: one for each event without a packing. */
export function packed<Encoded extends EncodedRecord>(
  events: readonly Encoded[],
  packing: Packing<Encoded> | undefined,
): readonly Packed<Encoded>[] {
  if (!packing) return events.map((event) => ({ record: event, events: [event] }));
  return packing.group(events).map((group) => joined(group, packing));
}

/** Returns how records are divided. */
export function divisible<Encoded extends EncodedRecord>(packing: Packing<Encoded>): PackedRecords<Packed<Encoded>> {
  return {
    eventsIn: ({ events }) => events.length,
    divide: ({ events }, at) => [joined(events.slice(0, at), packing), joined(events.slice(at), packing)],
  };
}

function joined<Encoded extends EncodedRecord>(events: readonly Encoded[], packing: Packing<Encoded>): Packed<Encoded> {
  const [only, ...others] = events;
  return { record: only && others.length === 0 ? only : packing.join(events), events };
}
