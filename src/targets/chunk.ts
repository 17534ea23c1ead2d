/** Fills one call: returns whether the next record still fits, and counts it if so. The first record always fits. */
export type Capacity<Item> = (record: Item) => boolean;

/** Limits of one call. */
export interface CapacityLimits {
  /** Most records. */
  readonly records: number;
  /** Most bytes of all records together. */
  readonly bytes: number;
}

/** How a record counts against the limits of a call. */
export interface RecordSize {
  readonly bytes: number;
  /**
   * The resources of the record's events, where the vendor may accept one record of a call and refuse another: a call
   * then holds at most one record of a resource. Empty where the vendor accepts or refuses a call as a whole.
   */
  readonly orderingKeys: readonly string[];
}

/** Returns the capacity of an empty call. */
export function capacityWithin<Item>(limits: CapacityLimits, sizeOf: (record: Item) => RecordSize): Capacity<Item> {
  const keys = new Set<string>();
  let records = 0;
  let bytes = 0;
  return (record) => {
    const size = sizeOf(record);
    const fits =
      records < limits.records && bytes + size.bytes <= limits.bytes && !size.orderingKeys.some((key) => keys.has(key));
    if (!fits && records > 0) return false;
    records += 1;
    bytes += size.bytes;
    for (const key of size.orderingKeys) keys.add(key);
    return true;
  };
}

/**
 * Splits records into calls: each holds as many of the remaining records as fit, in order, up to the first that does
 * not. This keeps the order of the destination from call to call, in the fewest contiguous parts.
 * @param openCall returns the capacity of an empty call
 */
export function chunkIntoCalls<Item>(
  records: readonly Item[],
  openCall: () => Capacity<Item>,
): readonly (readonly Item[])[] {
  const calls: Item[][] = [];
  let fits: Capacity<Item> | undefined;
  for (const record of records) {
    if (fits?.(record)) calls.at(-1)?.push(record);
    else {
      fits = openCall();
      fits(record);
      calls.push([record]);
    }
  }
  return calls;
}
