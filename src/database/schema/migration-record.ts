import { sql, type Kysely } from 'kysely';
import type { SchemaMigration } from './migration.js';

/** A migration on record. */
export interface RecordedMigration {
  readonly name: string;
  readonly additive: boolean;
  /** Whether its indexes are built, too. */
  readonly finished: boolean;
}

/** The migrations of a database, in its table `schema_migrations`. */
export class MigrationRecord {
  constructor(private readonly db: Kysely<unknown>) {}

  /** Creates the table if it is missing. */
  async open(): Promise<void> {
    const { rows } = await sql<{ present: boolean }>`
      select to_regclass('schema_migrations') is not null as present`.execute(this.db);
    if (rows[0]?.present === true) return;
    await sql`
      create table schema_migrations (
        name text primary key,
        additive boolean not null,
        started_at timestamptz not null default now(),
        finished_at timestamptz
      );
      comment on table schema_migrations is
        'A migration that has changed the schema. finished_at follows when its indexes are built.'`.execute(this.db);
  }

  async read(): Promise<readonly RecordedMigration[]> {
    const { rows } = await sql<RecordedMigration>`
      select name, additive, finished_at is not null as finished from schema_migrations order by name`.execute(this.db);
    return rows;
  }

  /** Records that a migration has changed the schema: within the transaction that changes it. */
  async start(trx: Kysely<unknown>, name: string, { additive }: SchemaMigration): Promise<void> {
    await sql`insert into schema_migrations (name, additive) values (${name}, ${additive})`.execute(trx);
  }

  /** Records that the indexes of a migration are built. */
  async finish(name: string): Promise<void> {
    await sql`update schema_migrations set finished_at = now() where name = ${name}`.execute(this.db);
  }
}
