import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/database.js';
import { executePrepared } from '../database/prepared.js';

/** A stored event: immutable, its payload without `sequence`. */
export interface StoredEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly resourceId: string;
  /** Compact JSON. */
  readonly payload: string;
  readonly createdAt: Date;
}

/** A new event. */
export interface NewEvent extends StoredEvent {
  /** W3C `traceparent` of the span that records the event. Its deliveries link to it. */
  readonly traceParent: string | null;
}

/** Every query on `events`, and the fan-out into `deliveries`. */
export class EventStore {
  constructor(private readonly db: Database) {}

  /**
   * Inserts an event and one delivery for each destination that is subscribed to its type, in one statement.
   * @param change statements of the change, which become part of the statement; empty if already run
   * @returns the ids of the destinations
   */
  async insertWithDeliveries(event: NewEvent, change: readonly RawBuilder<unknown>[] = []): Promise<readonly string[]> {
    const parts = change.map((statement, index) => sql`${sql.ref(`change_${index}`)} as (${statement}),`);
    const query = sql<{ destination_id: string }>`
      with ${sql.join(parts, sql` `)}
      event as (
        insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent)
        values (${event.id}, ${event.accountId}, ${event.type}, ${event.resourceId}, ${event.payload}, ${event.createdAt},
                ${event.traceParent})
      )
      insert into deliveries (event_id, destination_id, account_id, created_at)
      select distinct ${event.id}::text, destination_id, account_id, ${event.createdAt}::timestamptz
      from event_routes
      where account_id = ${event.accountId} and event_type = ${event.type}
      returning destination_id`;
    const rows = await executePrepared(this.db, query);
    return rows.map(({ destination_id }) => destination_id);
  }

  /**
   * Inserts an event and its delivery to one destination only.
   * @returns the id of the delivery
   */
  async insertForDestination(event: NewEvent, destinationId: string): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      with event as (
        insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent)
        values (${event.id}, ${event.accountId}, ${event.type}, ${event.resourceId}, ${event.payload}, ${event.createdAt},
                ${event.traceParent})
      )
      insert into deliveries (event_id, destination_id, account_id, created_at)
      values (${event.id}, ${destinationId}, ${event.accountId}, ${event.createdAt})
      returning id`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The insert of a delivery returned no row.');
    return row.id;
  }

  /** Returns one event of the account, or undefined. */
  async find(accountId: string, id: string): Promise<StoredEvent | undefined> {
    const row = await this.select(accountId).where('id', '=', id).executeTakeFirst();
    return row;
  }

  /** Returns at most `limit` events, newest first, older than `beforeId` and of `type` if given. */
  async page(
    accountId: string,
    { limit, beforeId, type }: { limit: number; beforeId: string | undefined; type: string | undefined },
  ): Promise<readonly StoredEvent[]> {
    let query = this.select(accountId).orderBy('id', 'desc').limit(limit);
    if (beforeId !== undefined) query = query.where('id', '<', beforeId);
    if (type !== undefined) query = query.where('type', '=', type);
    return query.execute();
  }

  private select(accountId: string) {
    return this.db
      .selectFrom('events')
      .select([
        'id',
        'account_id as accountId',
        'type',
        'resource_id as resourceId',
        'payload',
        'created_at as createdAt',
      ])
      .where('account_id', '=', accountId);
  }
}
