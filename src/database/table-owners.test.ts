import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tableOwners } from './table-owners.js';

const source = path.resolve(import.meta.dirname, '..');
const owners = new Map(Object.entries(tableOwners));

/** What writes a table: calls of Kysely, and SQL. Each has a name in its first group, or none that is known here. */
const writes = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:'(\w+)[^']*')?/g,
  /\b(?:insert|merge)\s+into\s+(?:only\s+)?(\w+)?/gi,
  /\bdelete\s+from\s+(?:only\s+)?(\w+)?/gi,
  /\bupdate\s+(?:only\s+)?(?:(\w+)|\$\{[^}]*\})(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\btruncate\s+(?:table\s+)?(?:only\s+)?(\w+)?/gi,
];

/** Files that write tables of others, or tables whose names are values, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'database/partitions/day-partitions.ts': 'moves rows between the partitions of a table',
  'delivery/finished/rows-outside-days.ts': 'removes rows of the default partition of finished deliveries',
  'events/retention/prune-store.ts': 'removes rows of the default partition of events',
  'delivery/rollups/rollup-store.ts': 'adds to two tables of its folder in the same way',
  'secrets/reseal-store.ts': 'encrypts columns of several tables with another key',
};

/** Returns what writes a table from a folder that does not own it, in one line for each. */
function foreignWrites(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return writes.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(([statement, table]) => {
      const line = statement.replaceAll(/\s+/g, ' ').trim();
      if (table === undefined) return [`${file}: "${line}" names its table by a value`];
      const owner = owners.get(table);
      if (owner === undefined) return [`${file}: "${line}": src/database/table-owners.ts names no owner of ${table}`];
      if (file.startsWith(`${owner}/`)) return [];
      return [
        `${file}: "${line}": only src/${owner} may write ${table}. Add a function there that returns the statement`,
      ];
    }),
  );
}

function sources(): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('database/migrations/'));
}

test('a table is written by the folder that owns it alone', () => {
  const found = sources()
    .filter((file) => !exceptions[file])
    .flatMap((file) => foreignWrites(file, readFileSync(path.join(source, file), 'utf8')));
  expect(found).toEqual([]);
});

test('each exception is a file that would be found', () => {
  const needless = Object.keys(exceptions).filter(
    (file) => foreignWrites(file, readFileSync(path.join(source, file), 'utf8')).length === 0,
  );
  expect(needless).toEqual([]);
});

test('a write from another folder is found in every form', () => {
  const statements = [
    `db.insertInto('events')`,
    `trx.updateTable('events as e').set({})`,
    `db\n.deleteFrom(\n'events')`,
    'sql`with made as (insert into events (id) values (1)) select`',
    'sql`update events e set type = null`',
    'sql`update only events set type = null`',
    'sql`delete from events where true`',
    'sql`merge into events using given`',
    'sql`truncate events`',
  ];
  for (const statement of statements) {
    expect(foreignWrites('exports/a.ts', statement), statement).toMatchObject([expect.stringContaining('src/events')]);
    expect(foreignWrites('events/a.ts', statement)).toEqual([]);
  }
  expect(foreignWrites('exports/a.ts', 'sql`delete from ${sql.table(name)}`')).toHaveLength(1);
  expect(foreignWrites('exports/a.ts', 'sql`insert into strangers values (1)`')).toHaveLength(1);
  const others = ['// insert into events', '/* delete from events */', 'sql`select from events for update of e`'];
  for (const other of others) expect(foreignWrites('exports/a.ts', other)).toEqual([]);
});
