import { sql, type Kysely } from 'kysely';
import type { SchemaMigration } from './migration.js';

/** A migration on record. */
export interface RecordedMigration {
  readonly name: string;
  readonly additive: boolean;
  /** Whether its indexes are built, too. */
  readonly finished: boolean;
}

/**
 * The migrations of a database, in its table `schema_migrations`. Migrations that are not additive are in
 * `kysely_migration` as well: the first releases read only that table, and refuse to start on a name they do not know.
 */
export class MigrationRecord {
  constructor(private readonly db: Kysely<unknown>) {}

  /** Creates the tables if they are missing, and takes over what the first releases have recorded. */
  async open(): Promise<void> {
    const { rows } = await sql<{ present: boolean }>`
      select to_regclass('schema_migrations') is not null as present`.execute(this.db);
    if (rows[0]?.present !== true) await this.db.transaction().execute((trx) => this.create(trx));
  }

  async read(): Promise<readonly RecordedMigration[]> {
    const { rows } = await sql<RecordedMigration>`
      select name, additive, finished_at is not null as finished from schema_migrations order by name`.execute(this.db);
    return rows;
  }

  /** Records that a migration has changed the schema: within the transaction that changes it. */
  async start(trx: Kysely<unknown>, name: string, { additive }: SchemaMigration): Promise<void> {
    await sql`insert into schema_migrations (name, additive) values (${name}, ${additive})`.execute(trx);
    if (additive) return;
    const now = new Date().toISOString();
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${now}) on conflict do nothing`.execute(
      trx,
    );
  }

  /** Records that the indexes of a migration are built. */
  async finish(name: string): Promise<void> {
    await sql`update schema_migrations set finished_at = now() where name = ${name}`.execute(this.db);
  }

  private async create(trx: Kysely<unknown>): Promise<void> {
    await sql`create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null
    )`.execute(trx);
    await sql`create table schema_migrations (
      name text primary key,
      additive boolean not null,
      started_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(trx);
    await sql`
      insert into schema_migrations (name, additive, finished_at)
      select name, false, now() from kysely_migration`.execute(trx);
  }
}
