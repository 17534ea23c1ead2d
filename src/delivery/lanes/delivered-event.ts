/** What a delivery adds to a payload. */
export interface DeliveryNumber {
  readonly epoch: number;
  readonly sequence: number;
  readonly isBackfill: boolean;
  /** Null for an event whose salt was removed. */
  readonly integrity: Integrity | null;
}

/** Where the log of a destination proves an event. */
export interface Integrity {
  /** `logOrigin` of the log. */
  readonly log: string;
  /** Index of the leaf. */
  readonly index: number;
  /** Of the commitment in the leaf: 32 hexadecimal digits. */
  readonly salt: string;
}

/**
 * Most bytes that `appendNumber` adds to a payload: the names of the members, `,"backfill":true`, sixteen digits for
 * each number, a log name of 100 characters with the id of a destination, and the salt.
 */
export const NUMBER_BYTES = 310;

/** Returns the name of the log of a destination in an epoch. */
export function logOrigin(logName: string, destinationId: string, epoch: number): string {
  return `${logName}/${destinationId}/${epoch}`;
}

/**
 * Adds the members `epoch`, `sequence` and `integrity` to a payload as text, and `backfill` to that of a backfilled
 * event: to parse and serialize the payload would cost many times more.
 */
export function appendNumber(payload: string, { epoch, sequence, isBackfill, integrity }: DeliveryNumber): string {
  const mark = isBackfill ? ',"backfill":true' : '';
  const proof =
    integrity === null
      ? ''
      : `,"integrity":{"log":"${integrity.log}","index":${integrity.index},"salt":"${integrity.salt}"}`;
  return `${payload.slice(0, -1)}${mark},"epoch":${epoch},"sequence":${sequence}${proof}}`;
}
