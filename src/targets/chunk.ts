/** Fills one call: asked record by record, in order, whether this one still goes in. The first always does. */
export type Room<Record> = (record: Record) => boolean;

/** What a call may hold. */
export interface RoomLimits {
  /** Most records. */
  readonly records: number;
  /** Most bytes of all records together. */
  readonly bytes: number;
}

/** What a record takes of a call. */
export interface Load {
  readonly bytes: number;
  /**
   * The resource that the record tells of, where the vendor may take one record of a call and not another: two records of one
   * resource never share a call then. Undefined where calls are taken as a whole.
   */
  readonly orderingKey: string | undefined;
}

/** An empty call with these limits. `loadOf` says what a record takes of it. */
export function capacityWithin<Record>(limits: RoomLimits, loadOf: (record: Record) => Load): Room<Record> {
  const keys = new Set<string>();
  let records = 0;
  let bytes = 0;
  return (record) => {
    const load = loadOf(record);
    const fits =
      records < limits.records &&
      bytes + load.bytes <= limits.bytes &&
      (load.orderingKey === undefined || !keys.has(load.orderingKey));
    if (!fits && records > 0) return false;
    records += 1;
    bytes += load.bytes;
    if (load.orderingKey !== undefined) keys.add(load.orderingKey);
    return true;
  };
}

/**
 * Splits records, in order, into calls: each takes of what is left as much as goes in, up to the first record that does not.
 * Contiguous parts keep the order of the destination from call to call, and no other contiguous parts are fewer.
 * @param open gives an empty call
 */
export function chunkIntoCalls<Record>(
  records: readonly Record[],
  open: () => Room<Record>,
): readonly (readonly Record[])[] {
  const calls: Record[][] = [];
  let takes: Room<Record> | undefined;
  for (const record of records) {
    if (takes?.(record)) calls.at(-1)?.push(record);
    else {
      takes = open();
      takes(record);
      calls.push([record]);
    }
  }
  return calls;
}
