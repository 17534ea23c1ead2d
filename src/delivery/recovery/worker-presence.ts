import { randomInt } from 'node:crypto';
import type { LockHolder, ProcessSession } from '../../database/connections/process-session.js';
import { tokenOf } from '../../lifecycle/provide.js';
import { withTimeout } from '../../timing/with-timeout.js';
import { ADD_ROW, MARK_SEEN, missingPresences, RELEASE_LOCK, REMOVE_ROW, TAKE_LOCK } from './presence-statements.js';

/** How long after a start of Postgres, or after a new session of its own, a worker sees no deaths, in milliseconds. */
const SETTLE_MS = 5_000;

/** How often a worker records that it lives, in milliseconds. People read it after the last worker has died. */
const SEEN_INTERVAL_MS = 15_000;

const LEAVE_TIMEOUT_MS = 2_000;

/** A presence whose session has ended. */
export interface MissingPresence {
  readonly id: number;
  /** INSTANCE_NAME of the worker. */
  readonly instance: string;
}

/** How to register a presence. */
export interface PresenceOptions {
  /** The session of the process, which has no other worker. */
  readonly session: ProcessSession;
  /** INSTANCE_NAME. */
  readonly instance: string;
  readonly times: Pick<PresenceTimes, 'lostMs'>;
}

/** Times after which a missing presence has consequences, in milliseconds. */
export interface PresenceTimes {
  /** How long the session of a worker may be lost before it aborts its calls. */
  readonly lostMs: number;
  /** How long a presence is missing before its worker counts as dead. The worker opens another session in that time. */
  readonly confirmMs: number;
}
/** The injection token of `PresenceTimes`. */
export const PRESENCE_TIMES = tokenOf<PresenceTimes>('PresenceTimes');

/** Others end the leases of a worker a little after it aborts its calls: they wait for their next look as well. */
export const usualPresenceTimes: PresenceTimes = { lostMs: 750, confirmMs: 800 };

/**
 * Shows the other workers that this one lives: by a lock of the session of its process. docs/decisions/recovery.md has
 * the argument.
 */
export class WorkerPresence implements LockHolder {
  /** Random; other workers read it in the tokens of attempts. */
  readonly id = randomInt(1, 2 ** 31);
  /** Resolves when the presence is registered, or could not be registered at once. */
  tried: Promise<void> = Promise.resolve();
  private isPresent = false;
  private wasPresent = false;
  private reporting: NodeJS.Timeout | undefined;
  private marking: NodeJS.Timeout | undefined;
  private onPresenceLost = (): void => {};

  constructor(private readonly options: PresenceOptions) {}

  /**
   * Begins to register, in the background.
   * @param onPresenceLost called when other workers may have ended the leases of this one, or are about to
   */
  start(onPresenceLost: () => void): void {
    this.onPresenceLost = onPresenceLost;
    this.marking = setInterval(() => void this.markSeen(), SEEN_INTERVAL_MS).unref();
    this.tried = this.options.session.join(this);
  }

  /** The id for new leases; null while the session is lost, so that nobody ends them early. */
  get idForLeases(): number | null {
    return this.isPresent ? this.id : null;
  }

  /**
   * Returns the presences of other workers whose sessions have ended. Such a worker has died, or is about to
   * open another session. Null while this worker cannot tell: without a session, and soon after all sessions were lost.
   * @throws the driver's error
   */
  async missing(): Promise<readonly MissingPresence[] | null> {
    const { session } = this.options;
    if (!this.isPresent || !session.isSettled(SETTLE_MS)) return null;
    return session.query<MissingPresence>(missingPresences(SETTLE_MS), [this.id]);
  }

  /**
   * Ends the presence. Waits two seconds at most for the server.
   * @param isDone whether this worker holds no lease any more; otherwise others end its leases at once
   */
  async leave(isDone: boolean): Promise<void> {
    const { session } = this.options;
    clearInterval(this.marking);
    clearTimeout(this.reporting);
    session.leave(this);
    if (!this.isPresent) return;
    this.isPresent = false;
    const leaving = async (): Promise<void> => {
      if (isDone) await session.query(REMOVE_ROW, [this.id]);
      await session.query(RELEASE_LOCK, [this.id]);
    };
    await withTimeout(
      leaving().catch(() => undefined),
      LEAVE_TIMEOUT_MS,
    );
  }

  async takeLocks(): Promise<void> {
    const { session, instance } = this.options;
    await session.query(TAKE_LOCK, [this.id]);
    // Behind the lock: a row without a lock is a dead worker.
    const added = await session.query(ADD_ROW, [this.id, instance]);
    clearTimeout(this.reporting);
    // Another worker has removed the row, and ended the leases.
    if (this.wasPresent && added.length === 1) this.onPresenceLost();
    this.isPresent = true;
    this.wasPresent = true;
  }

  /** After a while without a session, others may end the leases: unless no server is there for them either. */
  lost(): void {
    if (!this.isPresent) return;
    this.isPresent = false;
    const { session, times } = this.options;
    this.reporting = setTimeout(() => {
      if (!refusesEveryone(session.failure)) this.onPresenceLost();
    }, times.lostMs).unref();
  }

  private async markSeen(): Promise<void> {
    if (this.isPresent) await this.options.session.query(MARK_SEEN, [this.id]).catch(() => undefined);
  }
}

/** Whether no server takes connections: it is stopped or starts. */
function refusesEveryone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOENT' || code === '57P03';
}
