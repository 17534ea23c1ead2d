import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../database/database.js';
import { asParts, partName } from '../../../database/statement-parts.js';
import type { ResourceRow } from '../definition/definition.js';
import type { Link } from '../definition/links.js';
import { takeAllowance, type Quota } from './allowance-store.js';

/**
 * Returns the statements that insert a resource and its links, to be run as parts of one statement.
 * @param quota the quota whose allowance the statements take; they fail when there is none (`isWithoutAllowance`)
 */
export function insertResource(
  row: ResourceRow,
  links: readonly Link[],
  quota: Quota | null = null,
): readonly RawBuilder<unknown>[] {
  const { id, kind, parent_id, lease_id, attributes, version, created_at, updated_at } = row;
  const insertion = sql`
    insert into resources (id, account_id, kind, parent_id, lease_id, attributes, version, created_at, updated_at)
    values (${id}, ${accountOf(row, quota)}, ${kind}, ${parent_id}, ${lease_id}, ${JSON.stringify(attributes)}, ${version},
            ${created_at}, ${updated_at})`;
  const insertions = links.length === 0 ? [insertion] : [insertion, insertLinks(id, links)];
  return quota === null ? insertions : [takeAllowance(quota), ...insertions];
}

/** Returns the account of a new resource: null in the database when the first part has taken no allowance. */
function accountOf({ account_id }: ResourceRow, quota: Quota | null): RawBuilder<unknown> {
  return quota === null ? sql`${account_id}::text` : sql`(select account_id from ${partName(0)})`;
}

/** Runs the statements of a change as one statement. */
export async function runTogether(db: Database, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  const [first, ...others] = statements;
  if (!first) return;
  await (others.length === 0 ? first : sql`with ${asParts(statements)} select`).execute(db);
}

/** Returns the statement that replaces the attributes of a locked resource. */
export function replaceResource({ id, attributes, version, updated_at }: ResourceRow): RawBuilder<unknown> {
  return sql`
    update resources set attributes = ${JSON.stringify(attributes)}, version = ${version}, updated_at = ${updated_at}
    where id = ${id}`;
}

/**
 * Returns the statement that deletes a locked resource with its links and secrets. It fails while another resource
 * references this one.
 */
export function deleteResource(id: string): RawBuilder<unknown> {
  return sql`delete from resources where id = ${id}`;
}

/** Returns the statement that inserts links of a resource. */
export function insertLinks(fromId: string, links: readonly Link[]): RawBuilder<unknown> {
  const roles = links.map(({ role }) => role);
  const positions = links.map(({ position }) => position);
  const targets = links.map(({ toId }) => toId);
  return sql`
    insert into resource_links (from_id, role, position, to_id)
    select ${fromId}::text, * from unnest(${roles}::text[], ${positions}::int[], ${targets}::text[])`;
}
