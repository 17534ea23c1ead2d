import { sql } from 'kysely';
import type { RetentionTimes } from '../../config/retention.js';
import { fromNow, readDatabaseTime } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import { defaultPartitionName } from '../../database/partitions/day-partitions.js';
import { eventTable } from '../../database/partitions/event-partitions.js';
import { markRemoved } from '../../database/partitions/retention-marks.js';
import { removeAttempts } from '../../delivery/attempts/removed-attempts.js';
import { idBound } from '../../ids/id-time.js';
import { pageOf, type PageRow, type PrunedPage } from '../../maintenance/paged-pruning.js';

/** How long rows are kept. */
export type Retention = Omit<RetentionTimes, 'exportsMs'>;

/**
 * Removes rows that are older than their retention, one page at a time: of rows that are at least `ageMs` old. Pages
 * follow indexes whose order is that of time: pruning needs no index of its own, and a page costs the same at any size
 * of the tables.
 */
export class PruneStore {
  constructor(private readonly db: Database) {}

  /**
   * Removes events of the default partition after `eventsMs`; the other partitions are dropped as a whole
   * (`EventPartitions`). An event with a delivery or a waiting fan-out stays.
   */
  async events(retention: Retention, after: string, size: number, ageMs: number): Promise<PrunedPage<string>> {
    const partition = defaultPartitionName(eventTable.name);
    const { rows } = await sql<PageRow<string>>`
      with page as materialized (
        select id, created_at from ${sql.table(partition)} where id > ${after} order by id limit ${size}
      ),
      removed as (
        delete from ${sql.table(partition)} e using page
        where e.id = page.id and page.created_at <= ${fromNow(-retention.eventsMs)}
          and not exists (select from deliveries d where d.event_id = page.id)
          -- Its own query for each event, so that it reads one partition.
          and (select true from finished_deliveries where event_id = page.id limit 1) is null
          and not exists (select from fan_out_parts p where p.event_id = page.id)
        returning e.created_at
      ),
      marked as (${markRemoved('events', 'removed', 'created_at')})
      select (select max(id) from page where created_at <= ${fromNow(-ageMs)}) as last,
             (select count(*) from page where created_at <= ${fromNow(-ageMs)})::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return pageOf(rows[0], size);
  }

  /** Removes the projections of events that were recorded `eventsMs` ago and are removed. */
  async projections(retention: Retention, after: string, size: number): Promise<PrunedPage<string>> {
    const before = await this.eventBound(retention);
    const { rows } = await sql<PageRow<string>>`
      with page as materialized (
        select event_id, part from event_projections
        where event_id > ${after} and event_id < ${before} order by event_id, part limit ${size}
      ),
      removed as (
        delete from event_projections p using page
        where p.event_id = page.event_id and p.part = page.part
          -- Its own query for each event, so that it reads one partition.
          and (select true from events where id = page.event_id limit 1) is null
        returning 1
      )
      select (select max(event_id) from page) as last, (select count(*) from page)::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return pageOf(rows[0], size);
  }

  /** Returns a bound of the ids of events: those below were recorded `eventsMs` ago. */
  private async eventBound({ eventsMs }: Retention): Promise<string> {
    return idBound('evt', await readDatabaseTime(this.db, fromNow(-eventsMs)));
  }

  /** Removes the ids of publishers whose events were recorded `eventsMs` ago. */
  async publisherIds(retention: Retention, after: string, size: number): Promise<PrunedPage<string>> {
    const before = await this.eventBound(retention);
    const { rows } = await sql<PageRow<string>>`
      with page as materialized (
        select account_id, publisher_id, event_id from publisher_ids
        where event_id > ${after} and event_id < ${before} order by event_id limit ${size}
      ),
      removed as (
        delete from publisher_ids p using page
        where p.account_id = page.account_id and p.publisher_id = page.publisher_id returning 1
      )
      select (select max(event_id) from page) as last, (select count(*) from page)::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return pageOf(rows[0], size);
  }

  /** Removes attempts: healthy ones after `deliveredMs`, the others after `undeliveredMs`. */
  async attempts(retention: Retention, after: number, size: number, ageMs: number): Promise<PrunedPage<number>> {
    const { rows } = await sql<PageRow<number>>`
      with page as materialized (
        select id, started_at, outcome from delivery_attempts where id > ${after} order by id limit ${size}
      ),
      removed as (${removeAttempts(retention)}
      ),
      marked as (${markRemoved('attempts', 'removed', 'started_at')})
      select (select max(id) from page where started_at <= ${fromNow(-ageMs)}) as last,
             (select count(*) from page where started_at <= ${fromNow(-ageMs)})::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return pageOf(rows[0], size);
  }
}
