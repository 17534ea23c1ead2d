import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { tokenOf } from '../../lifecycle/provide.js';
import type { Logger } from '../../logging/logger.js';
import { withTimeout } from '../../timing/with-timeout.js';
import { CONNECTION_TIMEOUT_MS } from '../database.js';
import { watchedSocket } from './watched-socket.js';

/** The injection token of `ProcessSession`. */
export const PROCESS_SESSION = tokenOf<ProcessSession>('ProcessSession');

/** Pause between two tries to open the session, in milliseconds. */
const PAUSE_MS = 250;

/** How often a silent session is asked, in milliseconds: less than SILENCE_TIMEOUT_MS. */
const PING_INTERVAL_MS = 10_000;

/** Longest run time of a statement on the session, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * When a machine disappears, the server ends its session after 12 seconds of silence. A worker that is only cut off has
 * ended its calls by then: it cannot renew their leases.
 */
const KEEP_ALIVE = `set tcp_keepalives_idle = 6; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 12000`;

/** What holds locks of the session. */
export interface LockHolder {
  /** Takes the locks: when the holder joins, and on each session that replaces a lost one. */
  takeLocks(): Promise<void>;
  /** Called when the session is lost, and the locks with it. */
  lost?(): void;
  /** Called for a notification on a channel that the holder listens to. */
  notified?(): void;
}

/** How to open the session. */
export interface SessionOptions {
  readonly connectionString: string;
  /** Its `application_name`: other processes name this one by it. */
  readonly name: string;
  readonly logger: Logger;
}

/**
 * A session with Postgres whose advisory locks show the other processes what this one does. Postgres releases them when
 * the process ends, however it ends. A lost session is opened again, and its holders take their locks again.
 */
export class ProcessSession {
  /** The error of the last try to open the session; null when it has succeeded. */
  failure: unknown = null;
  private client: Client | undefined;
  private readonly holders = new Set<LockHolder>();
  private readonly closed = new AbortController();
  /** When the session was opened again, by `performance.now()`: infinite while it is lost, -Infinity for the first. */
  private openSince = Infinity;
  private wasOpen = false;
  /** Resolves when the session is open, or could not be opened at once. */
  private readonly tried: Promise<void>;
  private opening: Promise<void> = Promise.resolve();
  /** The last query of the session. The holders share its client, which takes one query at a time. */
  private last: Promise<unknown> = Promise.resolve();
  private readonly pinging = setInterval(
    () => void this.query('select').catch(() => undefined),
    PING_INTERVAL_MS,
  ).unref();

  /** Begins to connect, in the background. */
  constructor(private readonly options: SessionOptions) {
    this.tried = new Promise((resolve) => {
      this.opening = this.open(resolve);
    });
  }

  /**
   * Lets a holder take its locks, now and on each later session, until it leaves. Resolves when it has taken them, or
   * could not take them at once.
   */
  async join(holder: LockHolder): Promise<void> {
    await this.tried;
    this.holders.add(holder);
    if (this.openSince === Infinity) return;
    try {
      await holder.takeLocks();
    } catch (error) {
      this.failure = error;
      // The next session has the locks of all holders.
      void this.client?.end().catch(() => undefined);
    }
  }

  /** Takes no more locks for a holder. Those that it has remain until it releases them, or the session ends. */
  leave(holder: LockHolder): void {
    this.holders.delete(holder);
  }

  /** Whether the session is open, and was not lost within this time, in milliseconds: the others are back as well. */
  isSettled(withinMs: number): boolean {
    return performance.now() >= this.openSince + withinMs;
  }

  /** Runs a statement, and returns its rows. @throws the driver's error; Error while the session is lost */
  async query<Row extends QueryResultRow = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    const { client } = this;
    if (!client) throw new Error('The session of the process is lost.', { cause: this.failure });
    const result = this.last.then(() => client.query<Row>(text, [...values]));
    this.last = result.catch(() => undefined);
    return (await result).rows;
  }

  /** Ends the session, and releases every lock. Waits two seconds at most for the server. */
  async close(): Promise<void> {
    this.closed.abort();
    clearInterval(this.pinging);
    const ended = Promise.allSettled([this.client?.end(), this.opening]);
    await withTimeout(ended, CLOSE_TIMEOUT_MS);
  }

  private async open(tried: () => void): Promise<void> {
    while (!this.closed.signal.aborted) {
      const isOpen = await this.tryToOpen();
      tried();
      if (isOpen) return;
      await sleep(PAUSE_MS, undefined, { signal: this.closed.signal, ref: false }).catch(() => undefined);
    }
  }

  private async tryToOpen(): Promise<boolean> {
    try {
      await this.connect();
      this.closed.signal.throwIfAborted();
      for (const holder of this.holders) await holder.takeLocks();
      if (!this.client) throw new Error('The session was lost at once.');
      this.failure = null;
      this.openSince = this.wasOpen ? performance.now() : -Infinity;
      this.wasOpen = true;
      return true;
    } catch (error) {
      this.failure = error;
      this.options.logger.debug({ err: error }, 'the session of the process could not be opened: retrying');
      // A session with a part of the locks would stay beside the next one.
      void this.client?.end().catch(() => undefined);
      this.onLost();
      return false;
    }
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.options.connectionString,
      application_name: this.options.name,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      stream: watchedSocket,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const onEnd = (): void => {
      if (this.client === client) this.onLost();
    };
    client.on('error', onEnd);
    client.on('end', onEnd);
    client.on('notification', () => {
      for (const holder of this.holders) holder.notified?.();
    });
    try {
      await client.connect();
      await client.query(KEEP_ALIVE);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    this.last = Promise.resolve();
  }

  private onLost(): void {
    const wasOpen = this.openSince !== Infinity;
    this.client = undefined;
    this.openSince = Infinity;
    if (this.closed.signal.aborted) return;
    for (const holder of this.holders) holder.lost?.();
    // Otherwise `open` tries again.
    if (!wasOpen) return;
    this.options.logger.debug('the session of the process was lost');
    this.opening = this.open(() => undefined);
  }
}
