import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';
import { deliverRouted, type FanOutLimits } from '../../delivery/fan-out/insert-deliveries.js';
import type { AddressedEvent, ChangeEvent, NewEvent } from '../envelope/stored-event.js';
import { EventRuleStore } from '../rules/event-rule-store.js';
import { filterBudget, judged, type JudgedEvent } from '../rules/judged-event.js';
import { ProjectionStore } from '../rules/projection-store.js';
import { ignoreUnevaluated, type ReportUnevaluated } from '../rules/unevaluated-filters.js';
import {
  deletionsStatement,
  fanOutLimits,
  fanOutStatement,
  heldStatement,
  placedValues,
  simpleStatement,
  type SimpleRow,
  type FanOutRow,
  type HeldFanOut,
  type JudgedDeletion,
  type ManyDeliveries,
  type PreparedCreate,
} from './fan-out-statement.js';
import { sharedFence } from './route-fence.js';
import { columnsOf, givenRows, writeEvents } from './write-events.js';

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

/** Writes events with their deliveries. */
export class EventStore<Db extends Database = Database> {
  /**
   * @param report called for each filter that cannot be evaluated for an event, which is sent
   * @param fence `heldFence` where the transaction holds the fence of its account
   */
  constructor(
    private readonly db: Db,
    private readonly report: ReportUnevaluated = ignoreUnevaluated,
    private readonly fence: RawBuilder<unknown> = sharedFence,
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
    const statement = simpleStatement(event, change, fanOutLimits, sql`${limits.inline}::int`, this.fence);
    const simple = destinationsIn(await executePrepared(this.db, statement));
    if (simple !== null) return { destinationIds: simple, held: null };
    return this.insertFannedOut(event, limits);
  }

  /**
   * Inserts an event and its deliveries, whether or not its fan-out is simple.
   * @param exceptId a destination that does not get the event
   */
  async insertFannedOut(
    event: ChangeEvent,
    limits: FanOutLimits = fanOutLimits,
    exceptId: string | null = null,
  ): Promise<FanOut> {
    const { refusing, projecting } = await this.judged(event);
    await new ProjectionStore(this.db).insert(event.accountId, [{ ...event, projecting }]);
    const { rows } = await fanOutStatement(event, { refusing, destinationId: exceptId }, limits, this.fence).execute(
      this.db,
    );
    const idsOf = (is: FanOutRow['is']) => rows.filter((row) => row.is === is).map(({ id }) => id);
    const snapshotIds = idsOf('snapshot');
    const held = snapshotIds.length === 0 ? null : { destinationIds: idsOf('held'), snapshotIds };
    return { destinationIds: idsOf('delivery'), held };
  }

  /**
   * Returns what inserts deletions of resources of one family, one statement for each call; null where they must be
   * inserted one by one, since a snapshot of the family is running. Call it when every row is locked: it holds the
   * route fence from here on, so that neither the rules nor the answer changes until the transaction ends. The filters
   * of all calls share the steps of one transaction.
   */
  async deletions(
    this: EventStore<Transaction>,
    { accountId, kind, type }: Pick<ChangeEvent, 'accountId' | 'kind' | 'type'>,
  ): Promise<((events: readonly ChangeEvent[], limits: FanOutLimits) => Promise<ManyDeliveries>) | null> {
    const rules = await new EventRuleStore(this.db, this.fence).ofTypes(accountId, [type]);
    const running = this.db
      .selectFrom('event_snapshots')
      .select('id')
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('finished_at', 'is', null);
    if (await running.executeTakeFirst()) return null;
    const budget = filterBudget();
    return async (events, limits) => {
      const all: JudgedDeletion[] = [];
      for (const event of events) all.push({ ...event, ...(await judged(event.payload, rules, budget, this.report)) });
      await new ProjectionStore(this.db).insert(accountId, all);
      const { rows } = await deletionsStatement(all, limits, this.fence).execute(this.db);
      return rows[0] ?? { destination_ids: [], deliveries: 0 };
    };
  }

  /**
   * Inserts the snapshot of a resource, and after it the deliveries of the change that were held: in the transaction of
   * the change.
   * @param snapshot the resource before the change
   * @returns the ids of the destinations that have a delivery now
   */
  async insertHeld(
    change: ChangeEvent,
    snapshot: NewEvent,
    held: HeldFanOut,
    limits: FanOutLimits = fanOutLimits,
  ): Promise<readonly string[]> {
    const { refusing, projecting } = await this.judged(snapshot);
    await new ProjectionStore(this.db).insert(snapshot.accountId, [{ ...snapshot, projecting }]);
    const { rows } = await heldStatement(change, snapshot, held, refusing, limits).execute(this.db);
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
    const rules = await new EventRuleStore(this.db, this.fence).ofTypes(first.accountId, [first.type]);
    const budget = filterBudget();
    const events: (NewEvent & JudgedEvent)[] = [];
    for (const event of all) {
      const result = await judged(event.payload, rules, budget, this.report);
      if (!result.refusing.includes(subscriptionId)) events.push({ ...event, ...result });
    }
    if (events.length === 0) return;
    await new ProjectionStore(this.db).insert(first.accountId, events);
    // Without the destinations that the source has lost since they were read: their projections were not written.
    await sql`
      with ${givenRows(columnsOf(events))},
      routed as (
        select given.position, given.id as event_id, given.account_id, route.destination_id
        from given join event_routes route on route.account_id = given.account_id and route.event_type = given.type
          and route.subscription_id = ${subscriptionId} and route.destination_id = any(${destinationIds}::text[])
      ),
      ${writeEvents(deliverRouted())}
      select`.execute(this.db);
  }

  /**
   * Inserts events, each with its delivery to one destination only. They do not wait behind earlier fan-outs of their
   * resources (docs/decisions/order.md).
   * @returns the ids of the deliveries, in the order of the events
   */
  async insertAddressed(events: readonly AddressedEvent[]): Promise<readonly number[]> {
    const { rows } = await sql<{ id: number }>`
      with ${givenRows({ ...columnsOf(events), destination_id: events.map(({ destinationId }) => destinationId) })},
      routed as (
        select position, id as event_id, account_id, destination_id from given
      ),
      ${writeEvents(deliverRouted())}
      select id from delivery order by id`.execute(this.db);
    if (rows.length !== events.length) throw new Error('The insert of deliveries did not return a row for each event.');
    return rows.map(({ id }) => id);
  }

  /** Inserts an event that is sent to no destination. */
  async insertUnsent(event: NewEvent): Promise<void> {
    await sql`
      with ${givenRows(columnsOf([event]))},
      routed as (
        select position, id as event_id, account_id, ''::text as destination_id from given where false
      ),
      ${writeEvents(deliverRouted())}
      select`.execute(this.db);
  }

  /** Applies the rules of its type to an event, in the transaction that holds the lock of its resource. */
  private async judged({ accountId, type, payload }: NewEvent): Promise<JudgedEvent> {
    const rules = await new EventRuleStore(this.db, this.fence).ofTypes(accountId, [type]);
    return judged(payload, rules, filterBudget(), this.report);
  }
}

/** Returns the ids of the destinations; null when the fan-out is not simple. */
function destinationsIn(rows: readonly SimpleRow[]): readonly string[] | null {
  const ids: string[] = [];
  for (const { destination_id: id } of rows) {
    if (id === null) return null;
    ids.push(id);
  }
  return ids;
}
