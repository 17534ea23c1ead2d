/** Exit code of a command that failed. */
export const FAILED = 1;
/** Exit code of `status` for an outbox that needs attention. */
export const NEEDS_ATTENTION = 3;
/** Exit code for invalid arguments, options or settings. */
export const INVALID_USE = 2;
