import {
  checkpointText,
  consistencyRanges,
  EMPTY_ROOT,
  HASH_BYTES,
  isConsistent,
  openCheckpoint,
  sameHash,
  TiledTree,
  type NoteKey,
  type Tile,
} from '@waybill/verify';
import type { Database, Transaction } from '../database/database.js';
import type { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { logOrigin } from '../delivery/lanes/delivered-event.js';
import { checkpointOf } from '../events/catalogue/checkpoint-event.js';
import { EventStore } from '../events/fan-out/event-store.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../maintenance/maintenance.js';
import { Walk, type StepEnd } from '../maintenance/walk.js';
import { signedNote, type LogKeys, type SigningKey } from '../secrets/log-keys.js';
import { LogStore, type LockedLog } from './log-store.js';

/** Most logs of one round. */
const MOST_AT_ONCE = 1_000;

/** Most leaves of one step. */
const MOST_LEAVES = 4_096;

/** Longest time between two looks for logs that have grown, in milliseconds. */
const LONGEST_INTERVAL_MS = 10_000;

/** How long nothing is signed after a failure, in milliseconds. */
const UNSIGNED_MS = 10_000;

/** What the sealer works with. */
export interface LogSealerParts {
  readonly db: Database;
  readonly keys: Pick<LogKeys, 'logName' | 'all' | 'signing'>;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  readonly logger: Logger;
  /** Least time between two checkpoints of a log, in milliseconds. */
  readonly checkpointMs: number;
  /** Whether checkpoints are sent to cosigners. */
  readonly isCosigned: boolean;
  /** Most leaves of one step. */
  readonly mostLeaves?: number;
}

/**
 * Appends the recorded numbers of destinations to their logs, and signs checkpoints, in the background
 * (docs/decisions/proof.md). A step is one transaction, which locks its log.
 */
export class LogSealer implements MaintenanceTask {
  readonly name = 'proof_logs';
  readonly intervalMs: number;
  private readonly walk: Walk;
  private readonly mostLeaves: number;
  private readonly errors: ThrottledLog;
  private signing: readonly SigningKey[] = [];
  private known: readonly NoteKey[] = [];
  /** No signature is asked for before this time, by `performance.now()`. */
  private signsFrom = 0;

  constructor(private readonly parts: LogSealerParts) {
    const { db, logger, checkpointMs } = parts;
    this.intervalMs = Math.min(checkpointMs / 4, LONGEST_INTERVAL_MS);
    this.errors = new ThrottledLog(logger);
    this.mostLeaves = parts.mostLeaves ?? MOST_LEAVES;
    this.walk = new Walk({
      db,
      logger,
      step: (trx, id) => this.stepWithin(trx, id),
      failure: { message: 'a log could not be appended to; it will be retried', field: 'destination' },
      failed: (id) => new LogStore(db).delay(id, checkpointMs),
    });
  }

  /** Appends to the logs that are due until none is. Ends early, without an error, when `stopped` aborts. */
  async run(control: TurnControl): Promise<void> {
    const { db, keys, checkpointMs } = this.parts;
    const store = new LogStore(db);
    for (const destination of await store.closed(1))
      this.errors.error(null, 'the log of a destination was closed although the destination exists', { destination });
    await this.walk.untilNoneAdvances(async () => {
      const due = await store.due(MOST_AT_ONCE, checkpointMs);
      if (due.length > 0) [this.signing, this.known] = await Promise.all([keys.signing(), keys.all()]);
      return due;
    }, control);
  }

  /** Makes one step of the log of a destination. Returns whether it changed. @throws what the step throws */
  async step(destinationId: string): Promise<boolean> {
    const { keys } = this.parts;
    [this.signing, this.known] = await Promise.all([keys.signing(), keys.all()]);
    return this.walk.step(destinationId);
  }

  private async stepWithin(trx: Transaction, destinationId: string): Promise<StepEnd> {
    const { checkpointMs, dispatcher, isCosigned } = this.parts;
    const store = new LogStore(trx);
    const log = await store.lock(destinationId);
    if (!log) return null;
    const { leaves, hasNews, isFull, next, isDeleted, recordedTo } = await store.continuation(log, this.mostLeaves);
    const size = log.size + leaves.length / HASH_BYTES;
    const sequence = log.firstSequence + size;
    const isComplete = !isFull && sequence >= Math.min(recordedTo ?? 0, next?.firstSequence ?? Infinity);
    if (!isFull && !isComplete)
      this.errors.error(null, 'a log cannot grow: the delivery of its next number was removed', {
        log: this.originOf(log),
        sequence,
      });
    const ends = !isFull && (isDeleted || size === (next && next.firstSequence - log.firstSequence));
    const isUnsigned = size > 0 && (log.isUnsigned || hasNews);
    // A log that grows faster than it is read is signed where it is.
    const isDue = isUnsigned && log.signedMsAgo >= (isFull ? 2 * checkpointMs : checkpointMs);
    const signs = isDue || (ends && size > log.signedSize);
    const tiles: Tile[] = [];
    const tree = await this.treeOf(store, log, signs, (tile) => tiles.push(tile));
    if (tree === null) return null;
    for (let at = 0; at < leaves.length; at += HASH_BYTES) tree.append(leaves.subarray(at, at + HASH_BYTES));
    if (leaves.length > 0) tiles.push(...tree.partialTiles());
    const root = tree.root();
    const note = signs ? await this.noteOf(log, size, root) : null;
    // Without its last signature, a log does not end.
    const isEnd = ends && (note !== null || size === log.signedSize);
    const againMs = isFull ? null : checkpointMs;
    await store.grow(
      log,
      { size, root, isUnsigned: isUnsigned && note === null, note, isCosigned, ends: isEnd, isComplete, againMs },
      tiles,
    );
    if (isEnd && next) await store.begin(log, next);
    if (note !== null && !isDeleted) {
      const { accountId, epoch, cosignedNote: cosigned } = log;
      const object = { id: destinationId, epoch, log: this.originOf(log), size, checkpoint: note, cosigned };
      await new EventStore(trx).insertAddressed([checkpointOf(accountId, object)]);
      return () => dispatcher.notify([destinationId]);
    }
    return leaves.length > 0 || isEnd ? () => {} : null;
  }

  private originOf({ destinationId, epoch }: LockedLog): string {
    return logOrigin(this.parts.keys.logName, destinationId, epoch);
  }

  /**
   * Returns the tree of a log. Null when the tables are not what the log has grown to: then it neither grows nor is
   * signed, and the lag shows it.
   * @param signs whether it is signed now
   * @param onTile called with each tile that becomes full
   */
  private async treeOf(
    store: LogStore<Transaction>,
    log: LockedLog,
    signs: boolean,
    onTile: (tile: Tile) => void,
  ): Promise<TiledTree | null> {
    try {
      const tree = new TiledTree(onTile, { size: log.size, tiles: await store.edge(log) });
      if (!sameHash(tree.root(), log.root)) throw new Error('The tiles at the edge do not lead to the root.');
      if (signs) await this.assertExtends(store, log);
      return tree;
    } catch (error) {
      const { size, signedSize } = log;
      const message = 'the tables of a log were changed: it is not signed until they are restored';
      // Before the error is logged: this fails as well where the database has failed.
      await store.delay(log.destinationId, this.parts.checkpointMs);
      this.errors.error(error, message, { log: this.originOf(log), size, signed_size: signedSize });
      return null;
    }
  }

  /** @throws Error unless the log is the tree of its last checkpoint, or one that begins with all leaves of it */
  private async assertExtends(store: LogStore<Transaction>, log: LockedLog): Promise<void> {
    const { id, size, root, note, signedSize } = log;
    const signed =
      note === null ? { origin: this.originOf(log), size: 0, root: EMPTY_ROOT } : openCheckpoint(note, this.known);
    if (signed.origin !== this.originOf(log) || signed.size !== signedSize)
      throw new Error(`The last checkpoint is of ${signed.origin} with ${signed.size} leaves.`);
    const ranges = signed.size < size ? consistencyRanges(signed.size, size) : [];
    if (!isConsistent(signed, { size, root }, await store.subtrees(id, ranges, size)))
      throw new Error('The log does not begin with the leaves of its last checkpoint.');
  }

  /** Returns a checkpoint. Null when it cannot be signed now: the log grows without it. */
  private async noteOf(log: LockedLog, size: number, root: Uint8Array): Promise<string | null> {
    if (performance.now() < this.signsFrom) return null;
    const origin = this.originOf(log);
    try {
      return await signedNote(this.signing, origin, checkpointText({ origin, size, root }));
    } catch (error) {
      // Others would wait for the same failure, each with its log locked.
      this.signsFrom = performance.now() + UNSIGNED_MS;
      this.errors.warn(error, 'a checkpoint could not be signed; the log grows without it', { log: origin });
      return null;
    }
  }
}
