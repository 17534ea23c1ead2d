/** A line of an export holds no event, or cannot be read. The message says why, and of a file which line. */
export class LineError extends Error {
  override readonly name = 'LineError';
}
