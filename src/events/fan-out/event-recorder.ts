import { SpanKind, type Span, type SpanOptions } from '@opentelemetry/api';
import type { RawBuilder } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import type { HealthEventType } from '../../delivery/attempts/health-event-types.js';
import type { FanOutLimits } from '../../delivery/fan-out/insert-deliveries.js';
import type { RequestContext } from '../../http/request/request-context.js';
import type { Versioned } from '../../http/response/etag.js';
import { Problem } from '../../problems/problem.js';
import { Stretch } from '../../timing/stretch.js';
import { endSpan, startChild, traceParentOf, withSpan } from '../../tracing/span.js';
import { destinationTestEvent } from '../catalogue/destination-test-event.js';
import type { RecoveryEventType } from '../catalogue/recovery-events.js';
import { MAX_EVENT_BYTES, type EventTypeName, type ReportedState } from '../envelope/event-envelope.js';
import { newEventOf, type UntracedEvent } from '../envelope/new-event.js';
import type { ChangeEvent } from '../envelope/stored-event.js';
import { systemContext } from '../envelope/system-context.js';
import { ignoreUnevaluated, type ReportUnevaluated } from '../rules/unevaluated-filters.js';
import { EventStore, type SnapshotReaders } from './event-store.js';
import { fanOutLimits, type PreparedCreate } from './fan-out-statement.js';
import { heldFence, holdFence, sharedFence } from './route-fence.js';

/** A resource as GET returns it, with its version. */
export type Reported = Versioned<Readonly<Record<string, unknown>>>;

/** A change of a resource. */
export interface Change extends ReportedState {
  readonly type: EventTypeName;
  /** The family of the resource. */
  readonly kind: string;
  /** Returns the resource before the change; null when the resource is new. */
  readonly before: (() => Promise<Reported>) | null;
}

/** A resource in a snapshot. */
export interface SnapshotState {
  readonly kind: string;
  readonly resourceId: string;
  readonly state: Reported;
}

/** What an event reports that is no change of a resource: the health of a destination, or a recovery. */
export interface Report {
  readonly type: HealthEventType | RecoveryEventType;
  readonly resourceId: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Records the event of a change, in the transaction of the change. */
export class EventRecorder {
  /** Deliveries that open transactions have created. */
  private readonly created = new WeakMap<Transaction, number>();
  /** Open transactions that hold the fence of their account. */
  private readonly holding = new WeakSet<Transaction>();

  /**
   * @param limits of a transaction: the fan-outs beyond them wait for the background
   * @param report called for each filter that cannot be evaluated for an event, which is sent
   */
  constructor(
    private readonly limits: FanOutLimits = fanOutLimits,
    private readonly report: ReportUnevaluated = ignoreUnevaluated,
  ) {}

  /**
   * Records one change as one event with its deliveries. Where a running snapshot has not written the resource, the
   * snapshot of the resource is recorded first.
   * @param trx holds the lock of the resource, unless the resource is new
   * @param statements statements of the change, to be run as one statement with the event; empty if already run
   * @returns the ids of the destinations that get the event; dispatch their lanes after the commit
   * @throws Problem `event_too_large` when the resource does not fit into an event; do not commit the change
   */
  async record(
    trx: Transaction,
    context: RequestContext,
    change: Change,
    statements: readonly RawBuilder<unknown>[] = [],
  ): Promise<readonly string[]> {
    const stored = eventOf(context, change);
    return withSpan(context.trace, ...creation(stored), async (span) => {
      const event = changeEventOf(stored, change, span);
      const { destinationIds, held } = await this.store(trx).insertWithDeliveries(
        event,
        statements,
        this.limitsOf(trx),
      );
      this.count(trx, destinationIds.length);
      if (held === null || change.before === null) return destinationIds;
      const state = { kind: change.kind, resourceId: change.resourceId, state: await change.before() };
      const { accountId, baseUrl, operationId } = context;
      const ofSystem = systemContext(accountId, 'snapshot', baseUrl, operationId);
      const snapshot = { ...snapshotOf(ofSystem, state), traceParent: event.traceParent };
      const afterwards = await this.store(trx).insertHeld(event, snapshot, held, this.limitsOf(trx));
      this.count(trx, afterwards.length);
      return [...new Set([...destinationIds, ...afterwards])];
    });
  }

  /**
   * Records the deletions of resources of one family, with one statement for each page. Where a snapshot of the family
   * is running, they are recorded one by one. They may take long, so only changes of routes of the account wait for the
   * transaction.
   * @param trx holds the locks of all of them
   * @param pages changes of one type, each of another resource
   * @returns the ids of the destinations that get the events; dispatch their lanes after the commit
   * @throws Problem as `record`
   */
  async recordDeletions(
    trx: Transaction,
    context: RequestContext,
    { kind, type }: Pick<Change, 'kind' | 'type'>,
    pages: AsyncIterable<readonly Change[]>,
  ): Promise<ReadonlySet<string>> {
    const destinationIds = new Set<string>();
    const add = (ids: readonly string[]) => {
      for (const id of ids) destinationIds.add(id);
    };
    // A transaction that has recorded an event holds the fence of all accounts.
    if (!this.created.has(trx)) {
      await holdFence(trx, context.accountId);
      this.holding.add(trx);
    }
    const insert = await this.store(trx).deletions({ accountId: context.accountId, kind, type });
    for await (const changes of pages) {
      if (insert === null) {
        for (const change of changes) add(await this.record(trx, context, change));
        continue;
      }
      const spans: Span[] = [];
      const events: ChangeEvent[] = [];
      const stretch = new Stretch();
      for (const change of changes) {
        await stretch.pause();
        const stored = eventOf(context, change);
        const span = context.trace && startChild(context.trace, ...creation(stored));
        if (span) spans.push(span);
        events.push(changeEventOf(stored, change, span));
      }
      const { destination_ids: ids, deliveries } = await insert(events, this.limitsOf(trx));
      this.count(trx, deliveries);
      add(ids);
      for (const span of spans) endSpan(span);
    }
    return destinationIds;
  }

  /**
   * Records the create of a resource and its event in one statement, without a transaction.
   * @returns the ids of the destinations that get the event; null when nothing was written, since the fan-out needs a
   * transaction
   * @throws Problem `event_too_large` when the resource does not fit into an event
   */
  async recordIfSimple(
    db: Database,
    context: RequestContext,
    change: Change,
    create: PreparedCreate,
  ): Promise<readonly string[] | null> {
    const stored = eventOf(context, change);
    const span = context.trace && startChild(context.trace, ...creation(stored));
    const event = changeEventOf(stored, change, span);
    const destinationIds = await new EventStore(db).insertIfSimple(event, create);
    // A span that never ends is not exported: this event was not created, another statement creates one.
    if (span && destinationIds !== null) endSpan(span);
    return destinationIds;
  }

  /**
   * Records the snapshots of locked resources of one family for the destinations of a source.
   * @returns nothing; dispatch the lanes of the destinations after the commit
   */
  async recordSnapshots(
    trx: Transaction,
    context: RequestContext,
    states: readonly SnapshotState[],
    readers: SnapshotReaders,
  ): Promise<void> {
    const events = states.map((state) => ({ ...snapshotOf(context, state), traceParent: null }));
    await this.store(trx).insertSnapshots(events, readers);
  }

  /**
   * Records a test of a destination: an event for this destination only.
   * @param trx holds the lock of the destination
   * @param destination the representation of the destination, with its version
   * @returns the ids of the event and its delivery; dispatch the lane after the commit
   */
  async recordTest(
    trx: Transaction,
    context: RequestContext,
    { body: destination, version }: Versioned<{ readonly id: string } & ReportedState['object']>,
  ): Promise<{ readonly eventId: string; readonly deliveryId: number }> {
    const { type } = destinationTestEvent;
    const state = { type, resourceId: destination.id, version, object: destination, changes: null };
    const event = eventOf(context, state);
    const [deliveryId = 0] = await withSpan(context.trace, ...creation(event), (span) =>
      new EventStore(trx).insertAddressed([
        { ...event, traceParent: traceParentOf(span), destinationId: destination.id },
      ]),
    );
    return { eventId: event.id, deliveryId };
  }

  /**
   * Records an event that reports no change, for every destination that is subscribed to it, but one that is its
   * resource: a destination is not told of its own health.
   * @returns the ids of the destinations that get the event; dispatch their lanes after the commit
   */
  async recordReport(
    trx: Transaction,
    context: RequestContext,
    { type, resourceId, object }: Report,
  ): Promise<readonly string[]> {
    const stored = eventOf(context, { type, resourceId, version: 0, object, changes: null });
    return withSpan(context.trace, ...creation(stored), async (span) => {
      // No snapshot has this kind: the event is no change, so it waits for no snapshot of the destination.
      const event = { ...stored, kind: type, isNew: true, traceParent: traceParentOf(span) };
      const { destinationIds } = await this.store(trx).insertFannedOut(event, this.limitsOf(trx), resourceId);
      this.count(trx, destinationIds.length);
      return destinationIds;
    });
  }

  /** Returns what a transaction may still create, after what it has created. */
  private limitsOf(trx: Transaction): FanOutLimits {
    const { inline, part } = this.limits;
    return { inline: Math.max(0, inline - (this.created.get(trx) ?? 0)), part };
  }

  private count(trx: Transaction, deliveries: number): void {
    this.created.set(trx, (this.created.get(trx) ?? 0) + deliveries);
  }

  private store(trx: Transaction): EventStore<Transaction> {
    return new EventStore(trx, this.report, this.holding.has(trx) ? heldFence : sharedFence);
  }
}

/** Returns the event of a change, which `span` created. */
function changeEventOf(stored: UntracedEvent, change: Change, span: Span | undefined): ChangeEvent {
  return { ...stored, kind: change.kind, isNew: change.before === null, traceParent: traceParentOf(span) };
}

/**
 * The span that the deliveries of an event link to:
 * https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 */
function creation({ id, type }: UntracedEvent): readonly [name: string, options: SpanOptions] {
  const attributes = {
    'messaging.system': 'waybill',
    'messaging.operation.name': 'create',
    'messaging.operation.type': 'create',
    'messaging.message.id': id,
    'waybill.event.type': type,
  };
  return [`create ${type}`, { kind: SpanKind.PRODUCER, attributes }];
}

function snapshotOf(context: RequestContext, { kind, resourceId, state }: SnapshotState): UntracedEvent {
  const type = `${kind}_snapshot.v0` as const;
  return eventOf(context, { type, resourceId, version: state.version, object: state.body, changes: null });
}

/** @throws Problem `event_too_large` */
function eventOf(context: RequestContext, state: ReportedState): UntracedEvent {
  const event = newEventOf(context, state);
  if (event !== null) return event;
  const detail = `The event of this change would exceed ${MAX_EVENT_BYTES} bytes of JSON, of which 8 KiB are reserved. Make the resource smaller.`;
  throw new Problem('event_too_large', detail);
}
