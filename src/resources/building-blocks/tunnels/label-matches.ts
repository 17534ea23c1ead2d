import { sql } from 'kysely';
import type { Database, Transaction } from '../../../database/database.js';
import type { ResourceKind, ResourceRow } from '../../framework/definition.js';
import { uriOf, type Ref } from '../../framework/links.js';
import { isLive } from '../../framework/resource-store.js';

/** Most resources that are listed on the other side of a match, so that what shows them keeps within its event. */
const MAX_MATCHES = 100;

/**
 * Which online tunnels of an account belong to which of its tunnel-group backends: those that carry all labels of the group.
 * Found when it is asked for, never stored.
 * @param of whether `ids` are those of tunnels or of backends
 * @returns for each of them the ids on the other side, newest first, at most 100; no entry where there are none
 */
async function labelMatches(
  db: Database | Transaction,
  accountId: string,
  of: 'tunnels' | 'backends',
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [own, other] =
    of === 'tunnels'
      ? [sql.ref('resources.id'), sql.ref('backend.id')]
      : [sql.ref('backend.id'), sql.ref('resources.id')];
  const { rows } = await sql<{ own: string; other: string }>`
    select own, other from (
      select ${own} as own, ${other} as other,
        row_number() over (partition by ${own} order by ${other} desc) as place
      from resources join resources as backend on backend.account_id = resources.account_id
        and resources.attributes -> 'labels' @> (backend.attributes -> 'labels')
      where resources.account_id = ${accountId} and ${own} = any(${ids})
        and resources.kind = 'tunnel' and resources.attributes -> 'labels' <> '{}' and ${isLive}
        and backend.kind = 'tunnel_group_backend'
    ) as matches
    where place <= ${MAX_MATCHES} order by own, place`.execute(db);
  const matches = new Map<string, string[]>();
  for (const row of rows) matches.set(row.own, [...(matches.get(row.own) ?? []), row.other]);
  return matches;
}

/**
 * The same as Refs, for each of `rows` in their order: what a tunnel shows as its backends, or a backend as its tunnels.
 * @param other the kind on the other side
 */
export async function matchRefs(
  db: Database | Transaction,
  of: 'tunnels' | 'backends',
  rows: readonly ResourceRow[],
  other: ResourceKind,
  baseUrl: string,
): Promise<readonly (readonly Ref[])[]> {
  const ids = rows.map(({ id }) => id);
  const matches = await labelMatches(db, rows[0]?.accountId ?? '', of, ids);
  return ids.map((id) =>
    (matches.get(id) ?? []).map((match) => ({ id: match, uri: uriOf(other, match, baseUrl) })),
  );
}
