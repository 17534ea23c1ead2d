/** The signed logs of a destination, as Waybill serves them. */
export interface DestinationLogs {
  /** Returns the newest checkpoint of the log of an epoch, a signed note; null if there is none. */
  checkpoint(epoch: number): Promise<string | null>;
  /** Returns the tile at a path of c2sp.org/tlog-tiles. */
  tile(epoch: number, path: string): Promise<Uint8Array>;
}
