import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import type { StoredEvent } from '../stored-event.js';
import type { EventFilter, SearchRange } from './event-filter.js';
import { allOf, eventPathOf, timeBoundsOf } from './event-scan.js';

/**
 * Most events that one page reads of its index. A page of a search that finds little ends there, and the next one
 * continues.
 */
export const MOST_SCANNED = 10_000;

/** One page of a search. */
export interface FoundEvents {
  readonly events: readonly StoredEvent[];
  /** Where the page stopped before it was full; null when it is full, and at the end. */
  readonly resumeAt: string | null;
}

/** The ids of one page of a search. */
export interface FoundIds {
  readonly ids: readonly string[];
  /** As in `FoundEvents`. */
  readonly resumeAt: string | null;
}

/** A line of a page that may end before it is full: with where it stopped, and a row unless it found none. */
type Line<Row> = (Row | { readonly id: null }) & { readonly resumeAt: string | null };

function hasRow<Row extends { readonly id: string }>(line: Line<Row>): line is Line<Row> & Row {
  return line.id !== null;
}

const columns = sql<StoredEvent>`id, account_id as "accountId", type, resource_id as "resourceId", payload, created_at as "createdAt"`;

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
    const { rows, resumeAt } = await this.read(columns, accountId, filter, range, limit);
    return { events: rows, resumeAt };
  }

  /** As `page`, with the ids only: payloads are not read. */
  async ids(accountId: string, filter: EventFilter, range: SearchRange, limit: number): Promise<FoundIds> {
    const { rows, resumeAt } = await this.read(sql<{ id: string }>`id`, accountId, filter, range, limit);
    return { ids: rows.map(({ id }) => id), resumeAt };
  }

  /** Returns those of these events that exist, oldest first. */
  async withIds(accountId: string, ids: readonly string[]): Promise<readonly StoredEvent[]> {
    const { rows } = await sql<StoredEvent>`
      select ${columns} from events where id = any(${ids}::text[]) and account_id = ${accountId}
      order by id`.execute(this.db);
    return rows;
  }

  private async read<Row extends { readonly id: string }>(
    selectedColumns: RawBuilder<Row>,
    accountId: string,
    filter: EventFilter,
    range: SearchRange,
    limit: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly resumeAt: string | null }> {
    const { path, rest } = eventPathOf(filter);
    const direction = range.order === 'oldest_first' ? sql`asc` : sql`desc`;
    const scanned = allOf([
      sql`account_id = ${accountId}`,
      ...path,
      ...timeBoundsOf(filter),
      ...(range.beforeId === undefined ? [] : [sql`id < ${range.beforeId}`]),
      ...(range.afterId === undefined ? [] : [sql`id > ${range.afterId}`]),
    ]);
    const scan = (selected: RawBuilder<unknown>) =>
      sql`select ${selected} from events where ${scanned} order by id ${direction}`;
    if (rest.length === 0) {
      const { rows } = await sql<Row>`
        select ${selectedColumns} from (${scan(searched)} limit ${limit}) scanned order by id ${direction}`.execute(
        this.db,
      );
      return { rows, resumeAt: null };
    }
    // One statement has one snapshot: between two, retention could move the end behind events that were not read.
    const { rows: lines } = await sql<Line<Row>>`
      with found as materialized (
        select ${selectedColumns} from (${scan(searched)} limit ${this.mostScanned}) scanned
        where ${allOf(rest)} order by id ${direction} limit ${limit}
      )
      select found.*, stopped.id as "resumeAt"
      from (
        select (
          select last.id from (${scan(sql`id`)} offset ${this.mostScanned - 1} limit 1) last
          where (select count(*) from found) < ${limit}
        ) as id
      ) stopped
      left join found on true
      order by found.id ${direction}`.execute(this.db);
    return { rows: lines.filter(hasRow<Row>), resumeAt: lines[0]?.resumeAt ?? null };
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
