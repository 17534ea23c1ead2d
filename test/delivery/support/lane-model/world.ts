import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../../src/database/database.js';
import { Dispatcher } from '../../../../src/delivery/dispatch/dispatcher.js';
import type { LimitsByKind } from '../../../../src/delivery/lanes/batch-limits.js';
import { BatchStore } from '../../../../src/delivery/lanes/batch-store.js';
import { InternalErrorStore } from '../../../../src/delivery/lanes/internal-error-store.js';
import { LaneStore } from '../../../../src/delivery/lanes/lane-store.js';
import type { EpochStarts } from '../../../../src/delivery/recovery/epoch-starts.js';
import type { Sweeper } from '../../../../src/delivery/recovery/sweeper.js';
import { Redeliveries } from '../../../../src/delivery/redelivery/redeliveries.js';
import { RedeliveryStore } from '../../../../src/delivery/redelivery/redelivery-store.js';
import { createLogger } from '../../../../src/logging/logger.js';
import { targetLimits } from '../../../../src/targets/registry.js';
import { sweeperOf } from '../sweeper.js';
import { waitingForLocks } from './lane-rows.js';
import type { Ledger } from './ledger.js';
import { Session } from './session.js';

/** A day: no delivery is overdue unless the model makes it so. */
export const DEADLINE_MS = 12 * 3_600_000;

/** Small batches: a few deliveries make several. */
const limits: LimitsByKind = { ...targetLimits, data_stream: { ...targetLimits.data_stream, records: 3 } };

/** Most operations under way at once. */
export const MAX_OPERATIONS = 4;

/** The stores on one connection. They compile their statements once, so they serve all runs. */
interface Stores {
  readonly db: Database;
  readonly lanes: LaneStore;
  readonly batches: BatchStore;
  readonly internalErrors: InternalErrorStore;
}

/** The service on one connection. */
export interface Services extends Stores {
  readonly dispatcher: Dispatcher;
  readonly redeliveries: Redeliveries;
  readonly sweeper: () => Sweeper;
}

/** Opens the connections of a model; they serve all its runs. */
export function openSessions(connectionString: string, count: number): readonly Session[] {
  return Array.from({ length: count }, () => new Session(connectionString));
}

const logger = createLogger('fatal');

const stores = new WeakMap<Session, Stores>();

function storesOf(session: Session): Stores {
  const known = stores.get(session);
  if (known) return known;
  const { db } = session;
  const made = {
    db,
    lanes: new LaneStore(db, limits),
    batches: new BatchStore(db, 'log.test'),
    internalErrors: new InternalErrorStore(db),
  };
  stores.set(session, made);
  return made;
}

interface Operation {
  readonly session: Session;
}

/** One run against Postgres: operations on connections of their own, some of which hold their commit. */
export class LaneWorld {
  private readonly operations = new Set<Operation>();
  private readonly free: Session[];
  private changed = (): void => {};
  private failure: { readonly error: unknown } | null = null;

  /** @param db for what no operation does: the model's own queries */
  constructor(
    readonly db: Database,
    sessions: readonly Session[],
    private readonly ledger: Ledger,
  ) {
    this.free = [...sessions];
  }

  /**
   * Starts an operation on a connection of its own, and returns when it is done or cannot proceed.
   * @param holds which of its commits waits for `release`, from 1; 0: none
   * @throws what any operation threw
   */
  async start(label: string, holds: number, work: (services: Services) => Promise<string | void>): Promise<void> {
    const session = this.free.pop();
    if (!session) throw new Error('more operations than connections');
    if (holds > 0) session.holdNext(holds - 1);
    const run = async (): Promise<void> => {
      try {
        const result = await work(this.services(session));
        if (session.error !== null) throw session.error;
        this.ledger.note(`${label}: ${result ?? 'done'}`);
      } catch (error) {
        this.failure ??= { error };
      } finally {
        session.release();
        session.error = null;
        this.operations.delete(operation);
        this.ledger.operations = this.operations.size;
        this.free.push(session);
        this.changed();
      }
    };
    const operation: Operation = { session };
    this.operations.add(operation);
    this.ledger.started += 1;
    this.ledger.operations = this.operations.size;
    session.onHold = () => this.changed();
    void run();
    await this.stable();
    if (this.operations.has(operation)) {
      this.ledger.note(`${label}: ${session.isHolding ? 'holds its commit' : 'waits for a lock'}`);
    }
  }

  /** Commits what one held operation did. */
  async release(index: number): Promise<void> {
    const held = [...this.operations].filter(({ session }) => session.isHolding);
    const operation = held[index % held.length];
    if (!operation) return this.stable();
    this.ledger.note('a held commit is released');
    operation.session.release();
    // Its next statements begin before anything else does.
    operation.session.isHolding = false;
    await this.stable();
  }

  /** Commits everything. */
  async releaseAll(): Promise<void> {
    while (this.operations.size > 0) await this.release(0);
  }

  /** Ends a run that may have failed: nothing of it is left on the connections. */
  async abandon(): Promise<void> {
    for (const { end } of this.ledger.writers.splice(0)) await end(false);
    while (this.operations.size > 0) {
      for (const { session } of this.operations) session.release();
      await sleep(1);
    }
  }

  /** Returns a connection for a transaction that stays open; null when none is free. */
  takeSession(): Session | null {
    return this.free.length > MAX_OPERATIONS ? (this.free.pop() ?? null) : null;
  }

  giveSession(session: Session): void {
    this.free.push(session);
  }

  /** Waits until each operation is done, holds its commit, or waits for a lock. */
  private async stable(): Promise<void> {
    for (;;) {
      if (this.failure) throw this.failure.error;
      const all = [...this.operations];
      const running = all.filter(({ session }) => !session.isHolding);
      if (running.length === 0) return;
      const change = new Promise<boolean>((resolve) => {
        this.changed = () => resolve(true);
      });
      const mayBeBlocked = running.length < all.length;
      if (await (mayBeBlocked ? Promise.race([change, sleep(1, false)]) : change)) continue;
      const pids = running.map(({ session }) => session.pid);
      if ((await waitingForLocks(this.db, pids)) === running.length) return;
    }
  }

  private services(session: Session): Services {
    const own = storesOf(session);
    const { db, lanes } = own;
    const queues = this.ledger.queues.asQueues();
    const dispatcher = new Dispatcher(lanes, queues, logger);
    const epochStarts = { run: () => Promise.resolve(0) } as unknown as EpochStarts;
    const parts = { store: { db }, lanes, dispatcher, queues, logger };
    const sweeper = (): Sweeper => sweeperOf(parts, { epochStarts, deadlineMs: DEADLINE_MS, intervalMs: DEADLINE_MS });
    return {
      ...own,
      dispatcher,
      redeliveries: new Redeliveries(new RedeliveryStore(db), dispatcher),
      sweeper,
    };
  }
}
