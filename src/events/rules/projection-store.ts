import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { Problem } from '../../problems/problem.js';
import { Stretch } from '../../timing/stretch.js';
import { commitmentIn, saltIn } from '../envelope/salted-commitment.js';
import {
  DestinationGroups,
  projectionRows,
  type FieldsRoute,
  type ProjectedEvent,
  type ProjectionRow,
} from './projection-rows.js';
import { MOST_FORM_POINTERS, Projector } from './projection.js';

/** Most characters of the payloads of one statement, beside its last one: its arguments are encoded in one turn. */
const MOST_CHARACTERS = 1024 * 1024;
/** How many projections a transaction may write. */
export interface ProjectionLimits {
  readonly projections: number;
  readonly characters: number;
}

/** Of one request that publishes events: those of `MOST_FORMS` of one event fit. */
export const publishedProjections: ProjectionLimits = { projections: 20_000, characters: 32 * 1024 * 1024 };
/** Most different payloads that the destinations of one event type receive. */
export const MOST_FORMS = 500;
/** Bytes of a salt: as long as the hash. */
const SALT_BYTES = 32;

const TOO_MANY =
  'The events, each in the forms that destinations receive, are more than 20,000. Nothing was stored. Send fewer events.';
const TOO_MUCH =
  'The events have more than 32 Mi characters of JSON in the forms that destinations receive. Nothing was stored. Send fewer events.';

/** Writes the payloads that differ from those of their events. */
export class ProjectionStore {
  constructor(private readonly db: Database) {}

  /**
   * Writes the payloads of events as destinations with `fields` receive them, in the transaction that records the
   * events. A destination that several subscriptions send an event to receives what all of them let through.
   *
   * Call it while the transaction holds the route fence, and before the routes are read for the deliveries. A route is
   * removed without the fence: the destination of one that is removed in between has a payload and no delivery. In the
   * other order, it would receive the whole event.
   * @param most for all events; null: no limit
   * @throws Problem `body_too_large` for more: for too many projections before one is made; do not commit the events
   */
  async insert(
    accountId: string,
    events: readonly ProjectedEvent[],
    most: ProjectionLimits | null = null,
  ): Promise<void> {
    const projected = events.filter(({ projecting }) => projecting.length > 0);
    if (projected.length === 0) return;
    const { routes, salt } = await this.routes(accountId, projected);
    if (routes.length === 0) return;
    const projector = new Projector(salt ?? (await this.salt(accountId)));
    const stretch = new Stretch();
    let rows: ProjectionRow[] = [];
    let characters = 0;
    let left = most?.characters ?? Infinity;
    const groups = new DestinationGroups(routes, projector, stretch);
    const sorted = projected.toSorted(byType);
    if (most) await requireFew(sorted, groups, most.projections);
    for (const event of sorted) {
      for (const row of projectionRows(event, await groups.of(event), projector)) {
        await stretch.pause();
        rows.push(row);
        characters += row.payload.length;
        left -= row.payload.length;
        if (left < 0) throw new Problem('body_too_large', TOO_MUCH);
        if (characters < MOST_CHARACTERS) continue;
        await this.insertRows(rows);
        rows = [];
        characters = 0;
      }
    }
    await this.insertRows(rows);
  }

  /**
   * Writes the payloads of recorded events as one more destination receives them, in the transaction that creates its
   * deliveries. What an earlier delivery to it has sent, whose record was removed, is replaced.
   */
  async replaceForDestination(
    accountId: string,
    destinationId: string,
    events: readonly ProjectedEvent[],
  ): Promise<void> {
    if (events.length === 0) return;
    await sql`
      update event_projections set destination_ids = array_remove(destination_ids, ${destinationId})
      where event_id = any(${events.map(({ id }) => id)}::text[])
        and ${destinationId} = any(destination_ids)`.execute(this.db);
    const projected = events.filter(({ projecting }) => projecting.length > 0);
    if (projected.length === 0) return;
    const projector = new Projector(await this.salt(accountId));
    const stretch = new Stretch();
    const rows: ProjectionRow[] = [];
    for (const event of projected) {
      await stretch.pause();
      const group = { rules: event.projecting, destinationIds: [destinationId] };
      rows.push(...projectionRows(event, [group], projector));
    }
    const next = sql`coalesce((select max(part) from event_projections where event_id = p.event_id), -1) + 1`;
    await this.insertRows(rows, next);
  }

  /**
   * Returns those of the event types whose destinations receive more than `MOST_FORMS` different payloads, by the
   * fields and salts of their subscriptions, or payloads by more than `MOST_FORM_POINTERS` pointers.
   */
  async withManyForms(accountId: string, eventTypes: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ type: string }>`
      with rule as materialized (
        select event_type as type, subscription_id, fields -> 'hash' is not null as is_hashing,
               (sha256(convert_to(fields::text, 'UTF8')),
                (select coalesce(sum(jsonb_array_length(list)), 0)::int
                 from jsonb_each(fields) member (name, list) where jsonb_typeof(list) = 'array')) as form
        from event_rules
        where account_id = ${accountId} and event_type = any(${eventTypes}::text[]) and fields is not null
      )
      select type from (
        select distinct type, forms, salted_by from (
          select type, array_agg(distinct form) as forms,
                 min(subscription_id) filter (where is_hashing) as salted_by
          from event_routes route join rule using (subscription_id)
          where account_id = ${accountId} and event_type = type
          group by type, destination_id
        ) destination
      ) form
      cross join lateral (
        select sum(pointers) as pointers from unnest(forms) part (hash bytea, pointers int)
      ) counted
      group by type
      having count(*) > ${MOST_FORMS} or sum(pointers) > ${MOST_FORM_POINTERS}`.execute(this.db);
    return new Set(rows.map(({ type }) => type));
  }

  /** @param part SQL for the part of the row `p`: its own by default. With another, an event has one row at most. */
  private async insertRows(rows: readonly ProjectionRow[], part = sql`part`): Promise<void> {
    if (rows.length === 0) return;
    await sql`
      insert into event_projections (event_id, part, destination_ids, payload, salt, commitment)
      select event_id, ${part}, array(select json_array_elements_text(ids::json)), payload,
             ${saltIn('salted')}, ${commitmentIn('salted')}
      from unnest(${rows.map(({ eventId }) => eventId)}::text[], ${rows.map((row) => row.part)}::int[],
                  ${rows.map(({ destinationIds }) => JSON.stringify(destinationIds))}::text[],
                  ${rows.map(({ payload }) => payload)}::text[],
                  ${rows.map(({ saltedCommitment }) => saltedCommitment)}::text[])
        as p (event_id, part, ids, payload, salted)`.execute(this.db);
  }

  /** Returns the destinations of subscriptions with fields, and the salt of the account if it has one. */
  private async routes(
    accountId: string,
    events: readonly ProjectedEvent[],
  ): Promise<{ readonly routes: readonly FieldsRoute[]; readonly salt: Buffer | null }> {
    const subscriptions = new Set(events.flatMap(({ projecting }) => projecting.map((rule) => rule.subscriptionId)));
    const types = new Set(events.map(({ type }) => type));
    const { rows } = await sql<FieldsRoute & { readonly salt: Buffer | null }>`
      select event_type as "eventType", subscription_id as "subscriptionId",
             array_agg(destination_id order by destination_id) as "destinationIds",
             (select salt from account_salts where account_id = ${accountId}) as salt
      from event_routes
      where account_id = ${accountId} and event_type = any(${[...types]}::text[])
        and subscription_id = any(${[...subscriptions]}::text[])
      group by event_type, subscription_id
      order by subscription_id`.execute(this.db);
    return { routes: rows, salt: rows[0]?.salt ?? null };
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
  private async storedSalt(accountId: string): Promise<Buffer | undefined> {
    const query = this.db.selectFrom('account_salts').select('salt').where('account_id', '=', accountId);
    return (await query.executeTakeFirst())?.salt;
  }
}

/** @throws Problem `body_too_large` when the events have more projections than `most` */
async function requireFew(events: readonly ProjectedEvent[], groups: DestinationGroups, most: number): Promise<void> {
  let count = 0;
  for (const event of events) {
    count += (await groups.of(event)).length;
    if (count > most) throw new Problem('body_too_large', TOO_MANY);
  }
}

/** The projector keeps the forms of few types. */
function byType(a: ProjectedEvent, b: ProjectedEvent): number {
  return a.type < b.type ? -1 : Number(a.type > b.type);
}
