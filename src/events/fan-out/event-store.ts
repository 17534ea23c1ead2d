import { sql, type RawBuilder } from 'kysely';
import { databaseTime } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';
import type { ChangeEvent, NewEvent, StoredEvent } from '../envelope/stored-event.js';
import { EventRuleStore } from '../rules/event-rule-store.js';
import { filterBudget, judged, type JudgedEvent } from '../rules/judged-event.js';
import { ProjectionStore } from '../rules/projection-store.js';
import { ignoreUnevaluated, type ReportUnevaluated } from '../rules/unevaluated-filters.js';
import { eventColumns, eventValues } from './event-columns.js';
import {
  eventStatement,
  fanOutLimits,
  fanOutStatement,
  heldStatement,
  placedValues,
  type EventRow,
  type FanOutLimits,
  type FanOutRow,
  type HeldFanOut,
  type PreparedCreate,
} from './fan-out-statement.js';

/** Who receives the snapshots of a source. */
export interface SnapshotReaders {
  readonly subscriptionId: string;
  readonly destinationIds: readonly string[];
}

/** Result of a fan-out. */
export interface FanOut {
  /** The destinations that have a delivery now. */
  readonly destinationIds: readonly string[];
  /** What must be inserted in the same transaction, with `insertHeld`; null when nothing is held. */
  readonly held: HeldFanOut | null;
}

/** Every query on `events`, and the fan-out into `deliveries`. */
export class EventStore<Db extends Database = Database> {
  /** @param report called for each filter that cannot be evaluated for an event, which is sent */
  constructor(
    private readonly db: Db,
    private readonly report: ReportUnevaluated = ignoreUnevaluated,
  ) {}

  /**
   * Inserts the event of a change and one delivery for each destination that is subscribed to its type, in one
   * statement, if its fan-out is simple.
   * @returns the ids of the destinations; null when nothing was written, since the fan-out is not simple
   */
  async insertIfSimple(event: ChangeEvent, create: PreparedCreate): Promise<readonly string[] | null> {
    return destinationsIn(await create.statement.execute(this.db, [...placedValues(event), ...create.values]));
  }

  /**
   * Inserts the event of a change and one delivery for each destination that is subscribed to its type: in one
   * statement, if its fan-out is simple. Where the destinations are many, or an earlier fan-out of the resource waits,
   * the fan-out waits for the background.
   * @param change statements of the change, which become parts of the first statement; empty if already run
   */
  async insertWithDeliveries(
    event: ChangeEvent,
    change: readonly RawBuilder<unknown>[] = [],
    limits: FanOutLimits = fanOutLimits,
  ): Promise<FanOut> {
    const simple = destinationsIn(await executePrepared(this.db, eventStatement(event, change, false)));
    if (simple !== null) return { destinationIds: simple, held: null };
    const { refusing, projecting } = await this.judged(event);
    await new ProjectionStore(this.db).insert(event.accountId, [{ ...event, projecting }]);
    const { rows } = await fanOutStatement(event, limits, refusing).execute(this.db);
    const idsOf = (is: FanOutRow['is']) => rows.filter((row) => row.is === is).map(({ id }) => id);
    const snapshotIds = idsOf('snapshot');
    const held = snapshotIds.length === 0 ? null : { destinationIds: idsOf('held'), snapshotIds };
    return { destinationIds: idsOf('delivery'), held };
  }

  /**
   * Inserts the snapshot of a resource, and after it the deliveries of the change that were held: in the transaction of
   * the change.
   * @param snapshot the resource before the change
   * @returns the ids of the destinations that have a delivery now
   */
  async insertHeld(change: ChangeEvent, snapshot: NewEvent, held: HeldFanOut): Promise<readonly string[]> {
    const { refusing, projecting } = await this.judged(snapshot);
    await new ProjectionStore(this.db).insert(snapshot.accountId, [{ ...snapshot, projecting }]);
    const { rows } = await heldStatement(change, snapshot, held, refusing).execute(this.db);
    return rows.map(({ destination_id }) => destination_id);
  }

  /**
   * Inserts snapshots of locked resources, each with its deliveries, in order. A snapshot that the filter of the source
   * does not match is left out.
   * @param all of one type and account
   */
  async insertSnapshots(
    this: EventStore<Transaction>,
    all: readonly NewEvent[],
    { subscriptionId, destinationIds }: SnapshotReaders,
  ): Promise<void> {
    const [first] = all;
    if (!first) return;
    const rules = await new EventRuleStore(this.db).ofTypes(first.accountId, [first.type]);
    const budget = filterBudget();
    const judgedEvents = all.map((event) => ({ ...event, ...judged(event.payload, rules, budget, this.report) }));
    const events = judgedEvents.filter(({ refusing }) => !refusing.includes(subscriptionId));
    if (events.length === 0) return;
    const ids = events.map(({ id }) => id);
    await sql`
      insert into events (${eventColumns})
      values ${sql.join(events.map((event) => sql`(${eventValues(event)})`))}`.execute(this.db);
    await new ProjectionStore(this.db).insert(first.accountId, events);
    // Without the destinations that the source has lost since they were read: their projections were not written.
    await sql`
      insert into deliveries (event_id, destination_id, account_id, created_at)
      select e.id, route.destination_id, e.account_id, ${databaseTime}
      from unnest(${ids}::text[]) with ordinality as made (id, position)
      join events e on e.id = made.id
      join event_routes route on route.account_id = e.account_id and route.event_type = e.type
        and route.subscription_id = ${subscriptionId} and route.destination_id = any(${destinationIds}::text[])
      order by made.position`.execute(this.db);
  }

  /**
   * Inserts an event and its delivery to one destination only. It does not wait behind earlier fan-outs of its resource
   * (docs/decisions/order.md).
   * @returns the id of the delivery
   */
  async insertForDestination(event: NewEvent, destinationId: string): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      with event as (
        insert into events (${eventColumns}) values (${eventValues(event)})
      )
      insert into deliveries (event_id, destination_id, account_id, created_at)
      values (${event.id}, ${destinationId}, ${event.accountId}, ${databaseTime})
      returning id`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The insert of a delivery returned no row.');
    return row.id;
  }

  /** Applies the rules of its type to an event, in the transaction that holds the lock of its resource. */
  private async judged({ accountId, type, payload }: NewEvent): Promise<JudgedEvent> {
    const rules = await new EventRuleStore(this.db).ofTypes(accountId, [type]);
    return judged(payload, rules, filterBudget(), this.report);
  }

  /**
   * Takes one destination out of the fan-out of an event, in the transaction that inserted both. So no fan-out of other
   * events has to look for such destinations.
   */
  async leaveOut(this: EventStore<Transaction>, eventId: string, destinationId: string): Promise<void> {
    await sql`
      with waiting as (
        update fan_out_parts set destination_ids = array_remove(destination_ids, ${destinationId}::text)
        where event_id = ${eventId} and ${destinationId}::text = any(destination_ids)
      )
      delete from deliveries where event_id = ${eventId} and destination_id = ${destinationId}`.execute(this.db);
  }

  /** Returns one event of the account, or undefined. */
  async find(accountId: string, id: string): Promise<StoredEvent | undefined> {
    const row = await this.select(accountId).where('id', '=', id).executeTakeFirst();
    return row;
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

/** Returns the ids of the destinations; null when the fan-out is not simple. */
function destinationsIn(rows: readonly EventRow[]): readonly string[] | null {
  const ids: string[] = [];
  for (const { destination_id: id } of rows) {
    if (id === null) return null;
    ids.push(id);
  }
  return ids;
}
