import { sql } from 'kysely';
import type { Database, Transaction } from '../../../database/database.js';
import type { ResourceKind, ResourceRow } from '../../framework/definition/definition.js';
import { uriOf, type Ref } from '../../framework/definition/links.js';
import { isLive } from '../../framework/store/resource-store.js';

/** Most matches of one resource: keeps its event below the size limit. */
const MAX_MATCHES = 100;

/**
 * Matches the online tunnels of an account with its tunnel-group backends: a tunnel matches when it has all labels of
 * the group. Matches are never stored.
 * @param of whether `ids` are ids of tunnels or of backends
 * @returns the matching ids of the other family for each id, newest first, at most 100; no entry without matches
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
        row_number() over (partition by ${own} order by ${other} desc) as rank
      from resources join resources as backend on backend.account_id = resources.account_id
        and resources.attributes -> 'labels' @> (backend.attributes -> 'labels')
      where resources.account_id = ${accountId} and ${own} = any(${ids})
        and resources.kind = 'tunnel' and resources.attributes -> 'labels' <> '{}' and ${isLive}
        and backend.kind = 'tunnel_group_backend'
    ) as matches
    where rank <= ${MAX_MATCHES} order by own, rank`.execute(db);
  const matches = new Map<string, string[]>();
  for (const row of rows) matches.set(row.own, [...(matches.get(row.own) ?? []), row.other]);
  return matches;
}

/**
 * Finds the backends of each tunnel, or the tunnels of each backend, as Refs in the order of `rows`.
 * @param other the kind of the Refs
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
  return ids.map((id) => (matches.get(id) ?? []).map((match) => ({ id: match, uri: uriOf(other, match, baseUrl) })));
}
