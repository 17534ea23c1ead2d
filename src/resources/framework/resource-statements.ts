import { sql, type RawBuilder } from 'kysely';
import type { ResourceRow } from './definition.js';
import type { Link } from './links.js';

/**
 * Returns the statements that insert a resource and its links, to be run in sequence or as parts of one statement.
 */
export function insertResource(kind: string, row: ResourceRow, links: readonly Link[]): readonly RawBuilder<unknown>[] {
  const { id, accountId, parentId, leaseId, attributes, version, createdAt, updatedAt } = row;
  const insertion = sql`
    insert into resources (id, account_id, kind, parent_id, lease_id, attributes, version, created_at, updated_at)
    values (${id}, ${accountId}, ${kind}, ${parentId}, ${leaseId}, ${JSON.stringify(attributes)}, ${version},
            ${createdAt}, ${updatedAt})`;
  return links.length === 0 ? [insertion] : [insertion, insertLinks(id, links)];
}

/** Returns the statement that replaces the attributes of a locked resource. */
export function replaceResource({ id, attributes, version, updatedAt }: ResourceRow): RawBuilder<unknown> {
  return sql`
    update resources set attributes = ${JSON.stringify(attributes)}, version = ${version}, updated_at = ${updatedAt}
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
