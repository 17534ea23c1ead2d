import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { idBound } from '../../ids/id-time.js';
import type { StoredEvent } from '../stored-event.js';
import type { EventFilter, SearchRange } from './event-filter.js';

/**
 * Most events that one page reads of its index. A page of a search that finds little ends there, and the next one
 * continues.
 */
export const MOST_SCANNED = 10_000;

/** An event's id and its `created_at` are of the same moment: more than they differ, in milliseconds. */
const ID_MARGIN_MS = 2_000;

/** One page of a search. */
export interface FoundEvents {
  readonly events: readonly StoredEvent[];
  /** Where the page stopped before it was full; null when it is full, and at the end. */
  readonly resumeAt: string | null;
}

const columns = sql`id, account_id as "accountId", type, resource_id as "resourceId", payload, created_at as "createdAt"`;

/** The searches of events (docs/decisions/search.md). */
export class EventSearchStore {
  constructor(
    private readonly db: Database,
    private readonly mostScanned: number = MOST_SCANNED,
  ) {}

  /**
   * Returns at most `limit` events of a range that pass a filter. Reads at most `mostScanned` events of the index that
   * the filter names, whatever the other filters leave.
   */
  async page(accountId: string, filter: EventFilter, range: SearchRange, limit: number): Promise<FoundEvents> {
    const { path, rest } = pathOf(filter);
    const direction = range.order === 'oldest_first' ? sql`asc` : sql`desc`;
    const bounds = sql`account_id = ${accountId} and ${boundsOf(filter, range)}`;
    const scan = (selected: RawBuilder<unknown>) =>
      sql`select ${selected} from events where ${bounds} and ${path} order by id ${direction}`;
    if (rest.length === 0) {
      const { rows } = await sql<StoredEvent>`
        select ${columns} from (${scan(searched)} limit ${limit}) scanned order by id ${direction}`.execute(this.db);
      return { events: rows, resumeAt: null };
    }
    const { rows } = await sql<StoredEvent>`
      select ${columns} from (${scan(searched)} limit ${this.mostScanned}) scanned
      where ${sql.join(rest, sql` and `)} order by id ${direction} limit ${limit}`.execute(this.db);
    if (rows.length >= limit) return { events: rows, resumeAt: null };
    // Where the scan has ended. Events that were committed since then may move it: never behind the last one found.
    const { rows: ends } = await sql<{ id: string }>`
      ${scan(sql`id`)} offset ${this.mostScanned - 1} limit 1`.execute(this.db);
    const end = ends[0]?.id;
    const last = rows.at(-1)?.id;
    if (end === undefined) return { events: rows, resumeAt: null };
    const isFurther = last !== undefined && (range.order === 'oldest_first' ? last > end : last < end);
    return { events: rows, resumeAt: isFurther ? last : end };
  }

  /** Returns which of these types no event of the account has. */
  async typesWithoutEvents(accountId: string, types: readonly string[]): Promise<readonly string[]> {
    const { rows } = await sql<{ type: string }>`
      select type from unnest(${types}::text[]) as wanted (type)
      where not exists (select from events where account_id = ${accountId} and type = wanted.type)`.execute(this.db);
    return rows.map(({ type }) => type);
  }
}

const searched = sql`id, account_id, type, resource_id, payload, created_at, principal_id, credential_id, operation_id, changed_fields`;

/**
 * Returns the condition that an index finds in the order of ids, and the conditions that remain. The most selective
 * filter names the index: Postgres would have to guess it.
 */
function pathOf(filter: EventFilter): {
  readonly path: RawBuilder<unknown>;
  readonly rest: readonly RawBuilder<unknown>[];
} {
  const [first, ...others] = [
    ...equal('operation_id', filter.operationId),
    ...equal('resource_id', filter.objectId),
    ...equal('credential_id', filter.credentialId),
    ...equal('principal_id', filter.principalId),
  ];
  const rest = [
    ...others,
    ...(filter.changed === undefined ? [] : [sql`changed_fields @> array[${filter.changed}::text]`]),
    ...(filter.from === undefined ? [] : [sql`created_at >= ${filter.from}`]),
    ...(filter.to === undefined ? [] : [sql`created_at < ${filter.to}`]),
  ];
  if (first !== undefined) return { path: first, rest: [...rest, ...typesOf(filter)] };
  const [type, ...otherTypes] = filter.types;
  if (type !== undefined && otherTypes.length === 0) return { path: sql`type = ${type}`, rest };
  return { path: sql`true`, rest: [...rest, ...typesOf(filter)] };
}

function typesOf({ types }: EventFilter): readonly RawBuilder<unknown>[] {
  return types.length === 0 ? [] : [sql`type = any(${types}::text[])`];
}

/** The range of ids: that of the cursors, and that of the times, which leaves the partitions of other times. */
function boundsOf({ from, to }: EventFilter, { beforeId, afterId }: SearchRange): RawBuilder<unknown> {
  const bounds = [
    ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
    ...(afterId === undefined ? [] : [sql`id > ${afterId}`]),
    ...(from === undefined ? [] : [sql`id >= ${bound(from, -ID_MARGIN_MS)}`]),
    ...(to === undefined ? [] : [sql`id < ${bound(to, ID_MARGIN_MS)}`]),
  ];
  return bounds.length === 0 ? sql`true` : sql.join(bounds, sql` and `);
}

function equal(column: string, value: string | undefined): readonly RawBuilder<unknown>[] {
  return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`];
}

/** Returns the bound among the ids of events of a time, so many milliseconds later. */
function bound(time: Date, marginMs: number): string {
  return idBound('evt', new Date(Math.max(0, time.getTime() + marginMs)));
}
