import { sql } from 'kysely';
import pg from 'pg';
import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { snapshotContext } from '../../events/envelope/snapshot-context.js';
import type { EventRecorder } from '../../events/fan-out/event-recorder.js';
import { EventSnapshotStore, type EventSnapshot } from '../../events/fan-out/event-snapshot-store.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
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
  /** How long finished snapshots are kept, in milliseconds. */
  readonly keptMs: number;
  readonly logger: Logger;
}

/** Result of one step. */
export type StepResult =
  | 'advanced'
  | 'finished'
  /**
   * Nothing was written: the next resource is locked, an earlier event of it waits, or another process was faster.
   */
  | 'blocked';

/** Thrown to roll back a step. */
class SnapshotMoved extends Error {}

/**
 * Writes the present state of existing resources to new destinations, in the background
 * (docs/decisions/earlier-events.md). Each step is one transaction, which moves the snapshot forward: after a crash the
 * next step continues there.
 */
export class SnapshotWalker {
  private readonly errors: ThrottledLog;

  constructor(private readonly parts: SnapshotWalkerParts) {
    this.errors = new ThrottledLog(parts.logger);
  }

  /**
   * Walks every running snapshot, in turns of one step each, until all are finished or blocked. Ends early, without an
   * error, when `stopped` aborts.
   */
  async walk({ stopped, progressed }: TurnControl): Promise<void> {
    const snapshots = new EventSnapshotStore(this.parts.db);
    let walked = false;
    for (let advanced = true; advanced && !stopped.aborted;) {
      advanced = false;
      for (const snapshot of await snapshots.running(MAX_SNAPSHOTS)) {
        walked = true;
        if (stopped.aborted) break;
        if ((await this.tryStep(snapshot)) !== 'blocked') advanced = true;
        progressed();
      }
    }
    if (walked) await snapshots.prune(this.parts.keptMs);
  }

  private async tryStep(snapshot: EventSnapshot): Promise<StepResult> {
    try {
      return await this.step(snapshot);
    } catch (error) {
      this.errors.warn(error, 'a step of a snapshot failed; it will be retried', { snapshot: snapshot.id });
      return 'blocked';
    }
  }

  /** Writes the next resources of a snapshot, and moves it behind them. */
  async step(snapshot: EventSnapshot): Promise<StepResult> {
    const { db, dispatcher } = this.parts;
    const scope = { accountId: snapshot.accountId, kind: snapshot.kind, parentId: null, containing: null };
    if (snapshot.total === null) {
      await new EventSnapshotStore(db).begin(snapshot, await new ResourceStore(db).count(scope));
    }
    const destinationIds: string[] = [];
    try {
      const result = await db.transaction().execute((trx) => this.stepWithin(trx, snapshot, scope, destinationIds));
      dispatcher.notify(destinationIds);
      return result;
    } catch (error) {
      if (error instanceof SnapshotMoved) return 'blocked';
      throw error;
    }
  }

  private async stepWithin(
    trx: Transaction,
    snapshot: EventSnapshot,
    scope: Scope,
    destinationIds: string[],
  ): Promise<StepResult> {
    const snapshots = new EventSnapshotStore(trx);
    destinationIds.push(...(await snapshots.destinations(snapshot)));
    const limit = Math.min(MAX_RESOURCES, Math.ceil(MAX_DELIVERIES / Math.max(1, destinationIds.length)));
    const ids = await new ResourceStore(trx).idsBehind(scope, snapshot.afterId, limit);
    const last = ids.at(-1);
    if (last === undefined || destinationIds.length === 0) {
      await snapshots.finish(snapshot);
      return 'finished';
    }
    const locked = await lockNext(trx, scope, ids);
    if (locked === null) return 'blocked';
    const { rows, throughId } = locked;
    const skipped = await snapshots.marked(
      snapshot,
      rows.map(({ id }) => id),
    );
    const written = rows.filter(({ id }) => !skipped.has(id));
    if (written.length > 0) await this.record(trx, snapshot, written, destinationIds);
    if (!(await snapshots.advance(snapshot, throughId, rows.length)))
      throw new SnapshotMoved('The snapshot was moved by another process, or it was deleted.');
    return 'advanced';
  }

  private async record(
    trx: Transaction,
    snapshot: EventSnapshot,
    rows: readonly ResourceRow[],
    destinationIds: readonly string[],
  ): Promise<void> {
    const { kind, subscriptionId } = snapshot;
    const service = this.parts.services.get(kind);
    if (!service) throw new Error(`There is no family ${kind}.`);
    const context = snapshotContext(snapshot);
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
