/** Exit code of a command that failed. */
export const FAILED = 1;
/** Exit code for invalid arguments, options or settings. */
export const INVALID_USE = 2;
