import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CONNECTION_TIMEOUT_MS } from '../../database/database.js';
import { watchedSocket } from '../../database/watched-socket.js';
import type { Logger } from '../../logging/logger.js';
import { withTimeout } from '../../timing/with-timeout.js';
import { ADD_ROW, KEEP_ALIVE, MARK_SEEN, missingPresences, REMOVE_ROW, TAKE_LOCK } from './presence-statements.js';

/** How long after a start of Postgres, or after its own reconnect, a worker sees no deaths, in milliseconds. */
const SETTLE_MS = 5_000;

/** Pause between two tries to connect, in milliseconds: much less than SETTLE_MS. */
const RECONNECT_PAUSE_MS = 250;

/**
 * How long the session may be lost, in milliseconds. Others end the leases of a worker a little later (CONFIRM_MS, and
 * the wait for their next look).
 */
const LOST_MS = 750;

/** How often a worker records that it lives, in milliseconds. People read it after the last worker has died. */
const SEEN_INTERVAL_MS = 15_000;

/** Longest run time of a statement on the session, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** A presence whose session has ended. */
export interface MissingPresence {
  readonly id: number;
  /** INSTANCE_NAME of the worker. */
  readonly instance: string;
}

/** How to open a presence. */
export interface PresenceOptions {
  readonly connectionString: string;
  /** INSTANCE_NAME. */
  readonly instance: string;
  readonly logger: Logger;
  /** Called when other workers may have ended the leases of this one, or are about to. */
  readonly onPresenceLost: () => void;
  /** How long the session may be lost, in milliseconds; absent: the usual time. */
  readonly lostMs?: number | undefined;
}

/**
 * Shows the other workers that this one lives: by a lock of a session of its own, which Postgres releases when the
 * process ends, however it ends. Opens a lost session again. docs/decisions/recovery.md has the argument.
 */
export class WorkerPresence {
  /** Random; other workers read it in the tokens of attempts. */
  readonly id = randomInt(1, 2 ** 31);
  private client: Client | null = null;
  private readonly closed = new AbortController();
  /** Resolves when the session is open, or could not be opened at once. */
  readonly tried: Promise<void>;
  private onTried = (): void => {};
  private joined: Promise<void>;
  private wasPresent = false;
  /** From when on missing presences are those of dead workers, by `performance.now()`. */
  private settledAt = 0;
  private readonly marking = setInterval(() => void this.markSeen(), SEEN_INTERVAL_MS).unref();

  /** Begins to connect, in the background. */
  constructor(private readonly options: PresenceOptions) {
    this.tried = new Promise((resolve) => {
      this.onTried = resolve;
    });
    this.joined = this.join();
  }

  /** The id for new leases; null while the session is lost, so that nobody ends them early. */
  get idForLeases(): number | null {
    return this.client === null ? null : this.id;
  }

  /**
   * Returns the presences of other workers whose sessions have ended. Such a worker has died, or is about to
   * reconnect. Null while this worker cannot tell: without a session, and soon after all sessions were lost.
   * @throws the driver's error
   */
  async missing(): Promise<readonly MissingPresence[] | null> {
    if (this.client === null || performance.now() < this.settledAt) return null;
    const { rows } = await this.client.query<MissingPresence>(missingPresences(SETTLE_MS), [this.id]);
    return rows;
  }

  /**
   * Ends the session. Waits two seconds at most for the server.
   * @param isDone whether this worker holds no lease any more; otherwise others end its leases at once
   */
  async leave(isDone: boolean): Promise<void> {
    this.closed.abort();
    clearInterval(this.marking);
    const { client } = this;
    this.client = null;
    const leaving = async (): Promise<void> => {
      if (client && isDone) await client.query(REMOVE_ROW, [this.id]).catch(() => undefined);
      await client?.end().catch(() => undefined);
      await this.joined;
    };
    await withTimeout(leaving(), CLOSE_TIMEOUT_MS);
  }

  private async markSeen(): Promise<void> {
    await this.client?.query(MARK_SEEN, [this.id]).catch(() => undefined);
  }

  private async join(): Promise<void> {
    const { logger, onPresenceLost } = this.options;
    const report = this.wasPresent ? this.reportLossLater() : undefined;
    while (!this.closed.signal.aborted) {
      try {
        const { client, isNew } = await this.connect();
        report?.cancel();
        if (this.closed.signal.aborted) return void client.end().catch(() => undefined);
        if (this.wasPresent) this.settledAt = performance.now() + SETTLE_MS;
        this.client = client;
        // Another worker has removed the row, and ended the leases.
        if (this.wasPresent && isNew) onPresenceLost();
        this.wasPresent = true;
        this.onTried();
        return;
      } catch (error) {
        report?.failed(error);
        this.onTried();
        logger.debug({ err: error }, 'the presence of the worker could not be registered: retrying');
      }
      await sleep(RECONNECT_PAUSE_MS, undefined, { signal: this.closed.signal, ref: false }).catch(() => undefined);
    }
    report?.cancel();
  }

  /** After a while without a session, others may end the leases: unless no server is there for them either. */
  private reportLossLater() {
    let isServerDown = false;
    const timer = setTimeout(() => {
      if (!isServerDown) this.options.onPresenceLost();
    }, this.options.lostMs ?? LOST_MS).unref();
    return {
      cancel: () => clearTimeout(timer),
      failed: (error: unknown) => {
        isServerDown = refusesEveryone(error);
      },
    };
  }

  private async connect(): Promise<{ readonly client: Client; readonly isNew: boolean }> {
    const { connectionString, instance, logger } = this.options;
    const client = new Client({
      connectionString,
      application_name: `waybill ${instance} presence`,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      stream: watchedSocket,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const onLost = (): void => {
      if (this.client !== client) return;
      this.client = null;
      logger.debug('the session of the presence was lost');
      this.joined = this.join();
    };
    client.on('error', onLost);
    client.on('end', onLost);
    try {
      await client.connect();
      await client.query(KEEP_ALIVE);
      await client.query(TAKE_LOCK, [this.id]);
      // Behind the lock: a row without a lock is a dead worker.
      const { rows } = await client.query(ADD_ROW, [this.id, instance]);
      return { client, isNew: rows.length === 1 };
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }
}

/** Whether no server takes connections: it is stopped or starts. */
function refusesEveryone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOENT' || code === '57P03';
}
