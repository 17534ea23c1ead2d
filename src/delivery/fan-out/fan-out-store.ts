import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { insertDeliveries } from './insert-deliveries.js';

/** Creates the deliveries of fan-outs that wait for the background. */
export class FanOutStore {
  constructor(private readonly db: Database) {}

  /**
   * Creates the deliveries of the next part, in one statement. Any number of processes may call it: a part is taken
   * once, and only when every part of the earlier events of its resource is committed.
   * @returns the destinations of the part; null when no part can be taken now
   */
  async deliverNextPart(): Promise<readonly string[] | null> {
    const { rows } = await sql<{ destination_ids: string[] }>`
      with part as materialized (
        select id, event_id, account_id, destination_ids, created_at from fan_out_parts p
        where not exists (
          select from fan_out_parts earlier
          where earlier.resource_id = p.resource_id and earlier.id < p.id and earlier.event_id <> p.event_id
        )
        order by id limit 1 for update of p skip locked
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
