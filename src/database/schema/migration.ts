import type { Kysely } from 'kysely';

/**
 * One step of the schema. `up` changes it in one transaction, and `indexes` are built afterwards. Such a step can be
 * interrupted at any point: the next start continues there (docs/decisions/database.md).
 */
export interface SchemaMigration {
  /**
   * Whether a release that does not know this migration works with the schema after it, without losing what it
   * promises. Such a release may start on it; otherwise it refuses.
   */
  readonly additive: boolean;
  /**
   * Changes the schema. Waits for a lock for a short time only, and is repeated: keep it to definitions, and to data
   * that changes within a second.
   */
  up(db: Kysely<unknown>): Promise<void>;
  /** Indexes on existing tables. They are built while the tables are read and written. */
  readonly indexes?: readonly ConcurrentIndex[];
}

/** An index that is built by CREATE INDEX CONCURRENTLY. */
export interface ConcurrentIndex {
  readonly name: string;
  readonly unique?: boolean;
  /** What follows `on` in CREATE INDEX: the table, its columns, and the condition of a partial index. */
  readonly on: string;
}
