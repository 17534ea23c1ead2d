import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { PRESENCE_LOCK_CLASS } from './presence-statements.js';

/** Most workers of a list. */
export const MOST_LISTED = 200;

/** A worker, for people. */
export interface ListedWorker {
  /** INSTANCE_NAME. */
  readonly instance: string;
  readonly startedAt: Date;
  /** Whether its session holds its lock. */
  readonly alive: boolean;
  /** When it last showed that it lives: now, if it is alive. */
  readonly lastSeenAt: Date;
}

/** The workers of this installation. */
export class WorkerListStore {
  constructor(private readonly db: Database) {}

  /**
   * Returns the workers that run, and those that died and that no other worker has removed yet, with the time of the
   * database. Reads the locks and takes none: a lock that is tried would look like a worker to others.
   */
  async list(): Promise<{ readonly now: Date; readonly workers: readonly ListedWorker[] }> {
    const { rows } = await sql<{ now: Date } & { [Key in keyof ListedWorker]: ListedWorker[Key] | null }>`
      with held as materialized (
        select objid from pg_locks
        where locktype = 'advisory' and classid = ${sql.lit(PRESENCE_LOCK_CLASS)} and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database())
      ),
      listed as (
        select id, instance, started_at, seen_at, id::oid in (select objid from held) as alive
        from worker_presences order by alive desc, started_at desc, id limit ${MOST_LISTED}
      )
      select now() as now, instance, started_at as "startedAt", alive,
             case when alive then now() else coalesce(seen_at, started_at) end as "lastSeenAt"
      from (select) as one left join listed on true
      order by instance, "startedAt"`.execute(this.db);
    const workers = rows.flatMap(({ instance, startedAt, alive, lastSeenAt }) =>
      instance === null || startedAt === null || alive === null || lastSeenAt === null
        ? []
        : [{ instance, startedAt, alive, lastSeenAt }],
    );
    return { now: rows[0]?.now ?? new Date(), workers };
  }
}
