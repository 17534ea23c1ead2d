import type { Database } from '../../database/database.js';
import type { Store } from '../../database/store.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { EpochStore, type EpochChange, type RecordedEpoch } from './epoch-store.js';
import type { ServerIdentity } from './server-identity.js';
import { nothingKnown, type Testimony, type Witness } from './witness.js';

/** Why an epoch begins. */
export type EpochReason =
  /** The row of the epoch was written by another database: a copy made by pg_restore or logical replication. */
  | 'database_copied'
  | 'other_system'
  | 'other_timeline'
  /** The witness knows a later epoch, a higher number of a lane, or a later cleanup. */
  | 'numbers_lost'
  | 'declared';

/** How long until a check that failed is made again, in milliseconds. */
const RETRY_MS = 1_000;

/** Most servers that one check begins on. */
const MAX_SERVERS = 5;

/** What `Epochs` works with. */
export interface EpochParts {
  readonly db: Database;
  /** Null without a witness outside the database. */
  readonly witness: Witness | null;
  readonly logger: Logger;
}

/**
 * Keeps the epoch of the installation. It increases when the database was restored or failed over, because numbers that
 * were delivered may be assigned again then. docs/decisions/epoch.md has the argument.
 */
export class Epochs {
  private readonly store: EpochStore;
  private readonly errors: ThrottledLog;
  private checking: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private readonly listeners: (() => void)[] = [];
  private closed = false;

  constructor(private readonly parts: EpochParts) {
    this.store = new EpochStore(parts.db);
    this.errors = new ThrottledLog(parts.logger);
  }

  /**
   * Admits the server, and begins an epoch first if the database was restored or failed over. Claims are fenced until
   * this has succeeded once since the server started. Concurrent processes may call it.
   * @throws what the database or the witness throws
   */
  async check(): Promise<void> {
    const { witness, logger } = this.parts;
    const begun = await this.onOneServer(async (change, record, testimony) => {
      const { identity } = change;
      const reason = await this.reasonToBegin(change, record, testimony);
      if (reason !== null)
        return { reason, before: record.epoch, epoch: await change.begin(reason, testimony), ...identity };
      if (!record.admitted || isNew(identity, record)) await change.admit();
      return { reason, before: record.epoch, epoch: record.epoch, ...identity };
    });
    if (begun.reason !== null)
      logger.warn(
        begun,
        'the database was restored or failed over: an epoch began, and each lane marks which numbers may belong to undone events',
      );
    await witness?.add({ ...nothingKnown, epoch: begun.epoch });
  }

  /**
   * Begins an epoch because the operator says that the database was restored or failed over.
   * @returns the epoch, and the one before
   */
  async declare(): Promise<{ readonly epoch: number; readonly before: number }> {
    const begun = await this.onOneServer(async (change, record, testimony) => ({
      before: record.epoch,
      epoch: await change.begin('declared' satisfies EpochReason, testimony),
    }));
    await this.parts.witness?.add({ ...nothingKnown, epoch: begun.epoch });
    return begun;
  }

  /** Checks once, before the process claims anything. A check that fails is repeated in the background. */
  async start(): Promise<void> {
    this.checkSoon();
    await this.checking;
  }

  /** Calls `listener` after each check that has succeeded: claims were fenced before, perhaps. */
  onAdmitted(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Checks in the background if claims are fenced. Another process may have caused that, or a server whose start no
   * connection of this process has reported.
   */
  async checkIfFenced(): Promise<void> {
    if (this.checking || (await this.store.read()).admitted) return;
    this.checkSoon();
  }

  /** Checks in the background, again and again until a check succeeds. Never throws. */
  checkSoon(): void {
    if (this.closed) return;
    const before = this.checking ?? Promise.resolve();
    const checking = before
      .then(() => this.tryCheck())
      .finally(() => {
        if (this.checking === checking) this.checking = undefined;
      });
    this.checking = checking;
  }

  private async tryCheck(): Promise<void> {
    if (this.closed) return;
    clearTimeout(this.retry);
    try {
      await this.check();
      for (const listener of this.listeners) listener();
    } catch (error) {
      this.errors.warn(
        error,
        'cannot check whether the database was restored or failed over; after a restart of the server no lane is claimed until this succeeds',
      );
      if (!this.closed) this.retry = setTimeout(() => this.checkSoon(), RETRY_MS).unref();
    }
  }

  /** Resolves when the check under way has ended; starts no more. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.checking;
  }

  /**
   * Runs `work` with the locked record and the testimony of the witness. Both concern one run of one server: after a
   * failover in between, the old server may have recorded more since, so the testimony is read again.
   * @throws Error when the server changes again and again
   */
  private async onOneServer<T>(
    work: (change: EpochChange, record: RecordedEpoch, testimony: Testimony) => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; tries <= MAX_SERVERS; tries += 1) {
      const server = await this.store.serverStart();
      // Before the lanes: a number is on record before it is witnessed.
      const testimony = (await this.parts.witness?.read()) ?? nothingKnown;
      const done = await this.store.locked(async (change, record) =>
        change.serverStart === server ? { result: await work(change, record, testimony) } : null,
      );
      if (done) return done.result;
    }
    throw new Error('The database server changed during the check.');
  }

  private async reasonToBegin(
    change: EpochChange,
    record: RecordedEpoch,
    testimony: Testimony,
  ): Promise<EpochReason | null> {
    const { identity } = change;
    if (!record.original) return 'database_copied';
    if (differ(record.systemIdentifier, identity.systemIdentifier)) return 'other_system';
    if (differ(record.timeline, identity.timeline)) return 'other_timeline';
    if (testimony.epoch > record.epoch || testimony.cleanups > record.cleanups) return 'numbers_lost';
    const behind = await change.firstLaneBehind(testimony.lanes);
    if (!behind) return null;
    const witnessed = testimony.lanes.get(behind.destinationId);
    this.parts.logger.warn(
      { destination: behind.destinationId, recorded: behind.last, witnessed },
      'the witness knows a higher number than the lane',
    );
    return 'numbers_lost';
  }
}

/** Opens the epochs, with a check now and whenever the database is another server or the same one restarted. */
export async function openEpochs(store: Store, witness: Witness | null, logger: Logger): Promise<Epochs> {
  if (!witness)
    logger.info('no witness outside the database: after a restore from a copy of its files, run declare-recovery');
  const epochs = new Epochs({ db: store.db, witness, logger });
  store.onServerStart(() => epochs.checkSoon());
  await epochs.start();
  return epochs;
}

/** Whether two values are both known and differ. */
function differ<T>(a: T | null, b: T | null): boolean {
  return a !== null && b !== null && a !== b;
}

/** Whether the identity has a value that is not on record yet. */
function isNew(identity: ServerIdentity, record: ServerIdentity): boolean {
  return (
    (record.systemIdentifier === null && identity.systemIdentifier !== null) ||
    (record.timeline === null && identity.timeline !== null)
  );
}
