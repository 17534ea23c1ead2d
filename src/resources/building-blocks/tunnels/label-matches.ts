import { sql } from 'kysely';
import type { Database, Transaction } from '../../../database/database.js';
import type { ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition/definition.js';
import { uriOf } from '../../framework/definition/links.js';
import { isLive } from '../../framework/store/resource-store.js';
import { kinds } from '../kinds.js';

/** Most matches of one resource: keeps its event below the size limit. */
const MAX_MATCHES = 100;

/** The two families, by the member that lists them. */
const families = { tunnels: kinds.tunnel, backends: kinds.tunnelGroupBackend };
type Member = keyof typeof families;

/**
 * Matches the online tunnels of an account with its tunnel-group backends: a tunnel matches when it has all labels of
 * the group. Matches are never stored.
 * @param found whether tunnels or backends are looked for: `ids` are ids of the others
 * @returns the matching ids of the other family for each id, newest first, at most 100; no entry without matches
 */
async function labelMatches(
  db: Database | Transaction,
  accountId: string,
  found: Member,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [own, other] =
    found === 'backends'
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

/** Derives the tunnel-group backends whose labels a tunnel has, or the tunnels that have the labels of a group. */
export class LabelMatches implements ResourceBehaviour {
  /** @param member the member that lists them */
  constructor(private readonly member: Member) {}

  async derivedMembers(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]> {
    const ids = rows.map(({ id }) => id);
    const matches = await labelMatches(db, rows[0]?.account_id ?? '', this.member, ids);
    const refOf = (id: string) => ({ id, uri: uriOf(families[this.member], id, baseUrl) });
    return ids.map((id) => ({ [this.member]: (matches.get(id) ?? []).map(refOf) }));
  }
}
