/** Thrown when the embedded Postgres cannot be used here; the message says why and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
