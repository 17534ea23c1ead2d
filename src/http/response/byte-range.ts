/** A part of a file: its first and its last byte, from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A position may have any number of digits: no file has as many bytes as one that a number cannot hold exactly. */
const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * Returns the part of a file that a Range header names (RFC 9110, section 14.1.2); `unsatisfiable` when the file has no
 * such bytes; null for headers that are ignored: other units, several ranges, and what is not valid.
 * @param bytes size of the file
 */
export function byteRangeOf(header: string, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = SINGLE_RANGE.exec(header.trim()) ?? [];
  if (from === '' && to === '') return null;
  // `-5`: the last 5 bytes.
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  return first >= bytes ? 'unsatisfiable' : { first, last };
}
