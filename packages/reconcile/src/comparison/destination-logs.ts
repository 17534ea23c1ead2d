/** The signed logs of a destination, as Waybill serves them. */
export interface DestinationLogs {
  /**
   * Returns signed notes of the log of an epoch: the newest checkpoint, or the erasure records, one after the other.
   * Null if there is no such log or checkpoint.
   */
  notes(epoch: number, file: 'checkpoint' | 'erasures'): Promise<string | null>;
  /** Returns the tile at a path of c2sp.org/tlog-tiles. */
  tile(epoch: number, path: string): Promise<Uint8Array>;
}
