import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { Client, type ClientBase, type Pool } from 'pg';
import { migrate } from '../../src/database/schema/migrate.js';
import { tableOwners } from '../../src/database/table-owners.js';
import { createLogger } from '../../src/logging/logger.js';
import { markdownTable } from './markdown-table.js';

/** A table or a view of the catalog. */
interface Relation {
  readonly name: string;
  readonly row: string | null;
  /** Columns of the primary key. */
  readonly key: string | null;
  /** Tables to which foreign keys lead. */
  readonly references: readonly string[];
}

const RELATIONS = `
  select c.relname as name, obj_description(c.oid, 'pg_class') as row,
    (select substring(pg_get_constraintdef(k.oid) from '\\((.*)\\)') from pg_constraint k
     where k.conrelid = c.oid and k.contype = 'p') as key,
    array(select distinct confrelid::regclass::text from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'f' order by 1) as references
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
  order by c.relname`;

/** Migrates an empty database of an embedded Postgres, and makes the page from it. */
export async function makeSchemaPage(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-schema-'));
  const server = await startEmbeddedPostgres({ folder, fsync: false });
  const client = new Client({ connectionString: server.connectionString });
  try {
    await migrate(server.connectionString, createLogger('error'));
    await client.connect();
    return await schemaPageOf(client);
  } finally {
    await client.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the page about the tables of a migrated database.
 * @throws Error for a table without a comment or an owner
 */
export async function schemaPageOf(database: ClientBase | Pool): Promise<string> {
  const { rows } = await database.query<Relation>(RELATIONS);
  const sections = [...new Set(rows.map(ownerOf))].toSorted().map((owner) => {
    return `## \`src/${owner}\`\n\n${tableOf(rows.filter((relation) => ownerOf(relation) === owner))}\n`;
  });
  return `# Schema

<!-- Generated from the migrated database by "npm run generate". -->

The tables of Postgres, by the folder of \`src\` that owns them. The
[baseline](../src/database/migrations/0001_baseline.ts) has their columns, constraints, indexes and triggers, as SQL with comments.
\`\\d+\` in psql shows what a row is, too. Tables are partitioned where the text says so
([decisions/retention.md](decisions/retention.md)).

${sections.join('\n')}`;
}

function ownerOf({ name }: Relation): string {
  const owner = tableOwners[name];
  if (owner === undefined) throw new Error(`src/database/table-owners.ts does not name the owner of ${name}.`);
  return owner;
}

function tableOf(relations: readonly Relation[]): string {
  const rows = relations.map(({ name, row, key, references }) => {
    if (row === null) throw new Error(`The table ${name} has no comment that says what a row is.`);
    const referred = references.map((table) => `\`${table}\``).join(', ');
    return [`\`${name}\``, row, key === null ? '' : `\`${key}\``, referred];
  });
  return markdownTable(['Table', 'A row is', 'Primary key', 'References'], rows);
}
