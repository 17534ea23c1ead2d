import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import { firstOfEachAccount } from '../../maintenance/first-of-each-account.js';
import { insertDeliveries } from './insert-deliveries.js';

/** Whether a part of a fan-out waits. */
export const hasWaitingParts = sql<boolean>`exists (select from fan_out_parts)`;

/** Creates the deliveries of fan-outs that wait for the background. */
export class FanOutStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /** Returns the ids of at most `limit` waiting parts, the earliest of each account first. */
  async waiting(limit: number): Promise<readonly string[]> {
    const { rows } = await sql<{ id: number }>`
      select id from ${firstOfEachAccount(sql`fan_out_parts`, sql`id`)} order by place, id limit ${limit}`.execute(
      this.db,
    );
    return rows.map(({ id }) => String(id));
  }

  /**
   * Creates the deliveries of a part, in one statement. Any number of processes may call it: a part is taken once, and
   * only when every part of the earlier events of its resource is committed.
   * @returns the destinations of the part; null when it cannot be taken now
   */
  async deliver(this: FanOutStore<Transaction>, id: string): Promise<readonly string[] | null> {
    const { rows } = await sql<{ destination_ids: string[] }>`
      with part as materialized (
        select id, event_id, account_id, destination_ids, created_at from fan_out_parts p
        where id = ${id} and not exists (
          select from fan_out_parts earlier
          where earlier.resource_id = p.resource_id and earlier.id < p.id and earlier.event_id <> p.event_id
        )
        for update of p skip locked
      ),
      delivered as (${insertDeliveries(sql`
        select part.event_id, destination_id, part.account_id, part.created_at, null
        from part, unnest(part.destination_ids) destination_id`)}
      ),
      taken as (
        delete from fan_out_parts where id = (select id from part)
      )
      select destination_ids from part`.execute(this.db);
    return rows[0]?.destination_ids ?? null;
  }
}
