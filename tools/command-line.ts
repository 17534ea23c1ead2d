/**
 * What `read` gives; when it throws (an option that is not known, a value that cannot be), its message as one line on standard
 * error, and the process ends with code 2.
 */
export function fromCommandLine<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
