import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { EventFields } from '../../database/tables.js';
import type { EventRule } from './event-rule.js';
import { projectedPayload } from './projection.js';

/** Most destinations of one row. */
const MOST_DESTINATIONS = 2_000;
/** Bytes of a salt: as long as the hash. */
const SALT_BYTES = 32;

/** A recorded event, with the rules that change what destinations receive of it. */
export interface ProjectedEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: string;
  readonly projecting: readonly EventRule[];
}

/** Writes the payloads that differ from those of their events. */
export class ProjectionStore {
  constructor(private readonly db: Database) {}

  /**
   * Writes the payloads of events as destinations with `fields` receive them, in the transaction that records the
   * events. A destination that several subscriptions send an event to receives what all of them let through.
   */
  async insert(accountId: string, events: readonly ProjectedEvent[]): Promise<void> {
    const projected = events.filter(({ projecting }) => projecting.length > 0);
    if (projected.length === 0) return;
    const routes = await this.routes(accountId, projected);
    const salt = await this.salt(accountId);
    for (const event of projected) await this.insertOne(event, routes.get(event.type) ?? [], salt);
  }

  /**
   * Writes the payloads of recorded events as one more destination receives them, in the transaction that creates its
   * deliveries.
   */
  async insertForDestination(
    accountId: string,
    destinationId: string,
    events: readonly ProjectedEvent[],
  ): Promise<void> {
    const projected = events.filter(({ projecting }) => projecting.length > 0);
    if (projected.length === 0) return;
    const salt = await this.salt(accountId);
    const payloads = projected.map(({ payload, projecting }) =>
      projectedPayload(
        payload,
        projecting.flatMap(({ fields }) => fields ?? []),
        salt,
      ),
    );
    await sql`
      insert into event_projections (event_id, part, destination_ids, payload)
      select p.id, coalesce((select max(part) from event_projections where event_id = p.id), -1) + 1,
             array[${destinationId}::text], p.payload
      from unnest(${projected.map(({ id }) => id)}::text[], ${payloads}::text[]) as p (id, payload)
      where not exists (
        select from event_projections where event_id = p.id and ${destinationId} = any(destination_ids)
      )`.execute(this.db);
  }

  private async insertOne(
    { id, payload, projecting }: ProjectedEvent,
    routes: readonly Route[],
    salt: Buffer,
  ): Promise<void> {
    const groups = groupsOf(projecting, routes);
    const rows = groups.flatMap(({ fields, destinationIds }) => {
      const text = projectedPayload(payload, fields, salt);
      return chunksOf(destinationIds).map((ids) => ({ destination_ids: ids, payload: text }));
    });
    if (rows.length === 0) return;
    await this.db
      .insertInto('event_projections')
      .values(rows.map((row, part) => ({ event_id: id, part, ...row })))
      .execute();
  }

  /** Returns the routes of subscriptions with fields, by event type. */
  private async routes(
    accountId: string,
    events: readonly ProjectedEvent[],
  ): Promise<ReadonlyMap<string, readonly Route[]>> {
    const subscriptions = new Set(events.flatMap(({ projecting }) => projecting.map((rule) => rule.subscriptionId)));
    const types = new Set(events.map(({ type }) => type));
    const { rows } = await sql<Route & { readonly eventType: string }>`
      select event_type as "eventType", destination_id as "destinationId", subscription_id as "subscriptionId"
      from event_routes
      where account_id = ${accountId} and event_type = any(${[...types]}::text[])
        and subscription_id = any(${[...subscriptions]}::text[])
      order by destination_id, subscription_id`.execute(this.db);
    const byType = new Map<string, Route[]>();
    for (const { eventType, ...route } of rows) {
      const found = byType.get(eventType);
      if (found) found.push(route);
      else byType.set(eventType, [route]);
    }
    return byType;
  }

  /** Returns the salt of an account, which is made when it is needed first. */
  async salt(accountId: string): Promise<Buffer> {
    const stored = await this.storedSalt(accountId);
    if (stored) return stored;
    await this.db
      .insertInto('account_salts')
      .values({ account_id: accountId, salt: randomBytes(SALT_BYTES) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const made = await this.storedSalt(accountId);
    if (!made) throw new Error('The salt of an account was not stored.');
    return made;
  }

  /** Returns the salt of an account; undefined before it is needed. */
  async storedSalt(accountId: string): Promise<Buffer | undefined> {
    const query = this.db.selectFrom('account_salts').select('salt').where('account_id', '=', accountId);
    return (await query.executeTakeFirst())?.salt;
  }
}

interface Route {
  readonly destinationId: string;
  readonly subscriptionId: string;
}

/** Returns the destinations that receive the same payload, with the fields that apply to it. */
function groupsOf(
  projecting: readonly EventRule[],
  routes: readonly Route[],
): readonly { readonly fields: readonly EventFields[]; readonly destinationIds: readonly string[] }[] {
  const fieldsOf = new Map(projecting.map(({ subscriptionId, fields }) => [subscriptionId, fields]));
  const byDestination = new Map<string, EventFields[]>();
  for (const { destinationId, subscriptionId } of routes) {
    const fields = fieldsOf.get(subscriptionId);
    if (!fields) continue;
    const found = byDestination.get(destinationId);
    if (found) found.push(fields);
    else byDestination.set(destinationId, [fields]);
  }
  const groups = new Map<string, { fields: readonly EventFields[]; destinationIds: string[] }>();
  for (const [destinationId, fields] of byDestination) {
    const key = JSON.stringify(fields);
    const group = groups.get(key);
    if (group) group.destinationIds.push(destinationId);
    else groups.set(key, { fields, destinationIds: [destinationId] });
  }
  return [...groups.values()];
}

function chunksOf(ids: readonly string[]): readonly string[][] {
  const count = Math.ceil(ids.length / MOST_DESTINATIONS);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MOST_DESTINATIONS, (index + 1) * MOST_DESTINATIONS),
  );
}
