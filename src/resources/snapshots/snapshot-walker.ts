import { sql } from 'kysely';
import pg from 'pg';
import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { systemContext } from '../../events/envelope/system-context.js';
import type { EventRecorder } from '../../events/fan-out/event-recorder.js';
import {
  EventSnapshotStore,
  hasRunningSnapshots,
  type EventSnapshot,
} from '../../events/fan-out/event-snapshot-store.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { Walk, type StepEnd } from '../../maintenance/walk.js';
import type { ResourceRow } from '../framework/definition/definition.js';
import type { ResourceService } from '../framework/service/resource-service.js';
import { ResourceStore, type Scope } from '../framework/store/resource-store.js';

/** Most resources of one step: it bounds the memory of a step, at 64 KiB an event. */
const MAX_RESOURCES = 100;
/** Most deliveries of one step: it bounds the time for which resources are locked. */
const MAX_DELIVERIES = 2_000;
/** Most snapshots that one round visits. */
const MAX_SNAPSHOTS = 100;
/**
 * Longest wait for a resource that another transaction has locked, in milliseconds: less than the `deadlock_timeout` of
 * Postgres, so that the step gives way and not the change.
 */
const LOCK_WAIT_MS = 500;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03';

/** Dependencies of the walker. */
export interface SnapshotWalkerParts {
  readonly db: Database;
  readonly recorder: EventRecorder;
  readonly dispatcher: Dispatcher;
  /** The service of each family, by its name. */
  readonly services: ReadonlyMap<string, ResourceService>;
  readonly logger: Logger;
}

/**
 * Writes the present state of existing resources to new destinations, in the background
 * (docs/decisions/earlier-events.md).
 */
export class SnapshotWalker implements MaintenanceTask {
  readonly name = 'snapshots';
  /** The most that a snapshot begins late, in milliseconds. */
  readonly intervalMs = 1_000;
  readonly hasWork = hasRunningSnapshots;
  private readonly steps: Walk;

  constructor(private readonly parts: SnapshotWalkerParts) {
    this.steps = new Walk({
      ...parts,
      step: (trx, id) => this.step(trx, id),
      failure: { message: 'a step of a snapshot failed; it will be retried', field: 'snapshot' },
    });
  }

  /**
   * Walks every running snapshot, in turns of one step each, until all are finished or blocked. Ends early, without an
   * error, when `stopped` aborts.
   */
  async run(control: TurnControl): Promise<void> {
    const snapshots = new EventSnapshotStore(this.parts.db);
    for (let advanced = 1; advanced > 0 && !control.stopped.aborted;)
      advanced = await this.steps.round(await snapshots.running(MAX_SNAPSHOTS), control);
  }

  /**
   * Writes the next resources of a snapshot, and moves it behind them. Null as well while the next resource is locked,
   * or an earlier event of it waits.
   */
  private async step(trx: Transaction, id: string): Promise<StepEnd> {
    const snapshots = new EventSnapshotStore(trx);
    const resources = new ResourceStore(trx);
    const snapshot = await snapshots.lock(id);
    if (!snapshot) return null;
    const scope = { accountId: snapshot.account_id, kind: snapshot.kind, parentId: null, containing: null };
    if (snapshot.total === null) await snapshots.begin(snapshot, await resources.count(scope));
    const destinationIds = await snapshots.destinations(snapshot);
    const limit = Math.min(MAX_RESOURCES, Math.ceil(MAX_DELIVERIES / Math.max(1, destinationIds.length)));
    const ids = await resources.idsBehind(scope, snapshot.after_id, limit);
    if (ids.length === 0 || destinationIds.length === 0) {
      await snapshots.finish(snapshot);
      return () => {};
    }
    const locked = await lockNext(trx, scope, ids);
    if (locked === null) return null;
    const { rows, throughId } = locked;
    const skipped = await snapshots.marked(
      snapshot,
      rows.map((row) => row.id),
    );
    const written = rows.filter((row) => !skipped.has(row.id));
    if (written.length > 0) await this.record(trx, snapshot, written, destinationIds);
    await snapshots.advance(snapshot, throughId, rows.length);
    return () => this.parts.dispatcher.notify(destinationIds);
  }

  private async record(
    trx: Transaction,
    snapshot: EventSnapshot,
    rows: readonly ResourceRow[],
    destinationIds: readonly string[],
  ): Promise<void> {
    const { kind, subscription_id: subscriptionId, account_id, operation_id, base_url } = snapshot;
    const service = this.parts.services.get(kind);
    if (!service) throw new Error(`There is no family ${kind}.`);
    const context = systemContext(account_id, 'snapshot', base_url, operation_id);
    const states = await service.report(trx, context, rows);
    const reported = states.map((state) => ({ kind, resourceId: state.body.id, state }));
    await this.parts.recorder.recordSnapshots(trx, context, reported, { subscriptionId, destinationIds });
  }
}

/** Locked resources, up to the id that was visited last: it is that of a deleted resource where there are none. */
interface LockedResources {
  readonly rows: readonly ResourceRow[];
  readonly throughId: string;
}

/**
 * Locks the first ones of these resources, in order, up to one that is locked or has a waiting fan-out. It waits for
 * the very first only, before it holds any lock, so that no change can wait for the step and the step for the change.
 * @returns null when the first one is not available
 */
async function lockNext(trx: Transaction, scope: Scope, ids: readonly string[]): Promise<LockedResources | null> {
  const [first, ...others] = ids;
  if (first === undefined) return null;
  const alone = await lockAlone(trx, scope, first);
  if (alone === null) return null;
  if (!alone.has(first)) return { rows: [], throughId: first };
  const found = new Map([...alone, ...(await new ResourceStore(trx).lockUnchanged(scope, others, false))]);
  const waiting = await new EventSnapshotStore(trx).withWaitingFanOut([...found.keys()]);
  const rows: ResourceRow[] = [];
  for (const id of ids) {
    const row = found.get(id);
    if (!row || waiting.has(id)) break;
    rows.push(row);
  }
  const last = rows.at(-1);
  return last ? { rows, throughId: last.id } : null;
}

/** Locks one resource after a wait; null when the wait was too long. */
async function lockAlone(trx: Transaction, scope: Scope, id: string): Promise<ReadonlyMap<string, ResourceRow> | null> {
  await sql`savepoint waiting`.execute(trx);
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(trx);
  try {
    return await new ResourceStore(trx).lockUnchanged(scope, [id], true);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) {
      await sql`rollback to savepoint waiting`.execute(trx);
      return null;
    }
    throw error;
  }
}
