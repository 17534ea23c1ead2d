/** Why the embedded Postgres cannot be used. */
export type EmbeddedPostgresErrorCode =
  /** The data folder cannot be created or read. */
  | 'folder_unusable'
  /** The data folder belongs to another account. */
  | 'folder_owned_by_other'
  /** Another process holds the lock of the data folder. */
  | 'folder_in_use'
  /** Another process took the lock of the data folder while the server ran. */
  | 'folder_lost'
  /** The lock file holds something else. */
  | 'lock_invalid'
  /** The process runs as root, and the system has no account `nobody`. */
  | 'account_missing'
  /** No binaries are installed for this platform. */
  | 'binaries_missing'
  /** The binaries do not run on this system. */
  | 'binaries_unusable'
  /** The data folder was created by another major version of Postgres. */
  | 'version_mismatch'
  /** The data folder could not be initialized. */
  | 'init_failed'
  /** The server ended while it started, or refused the connection. */
  | 'start_failed'
  /** A server of an earlier process still runs on the data folder and does not end. */
  | 'leftover_server';

/** Thrown when the embedded Postgres cannot be used; the message says why, `code` names the reason for programs. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  constructor(
    readonly code: EmbeddedPostgresErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
