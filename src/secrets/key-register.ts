import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CONNECTION_TIMEOUT_MS } from '../database/database.js';
import type { Logger } from '../logging/logger.js';

/** Another running process that uses secrets of this database. */
export interface KeyHolder {
  /** Its name in the database's list of sessions, such as `waybill api-1 keys`. */
  readonly name: string;
  holds(keyId: string): boolean;
  seals(keyId: string): boolean;
  /** Whether it seals with a key that is none of these. */
  sealsBeside(keyIds: readonly string[]): boolean;
}

/**
 * Advisory locks `(class, hash of a key's id)`, shared, in this database: any numbers will do that nobody else uses
 * ("wybh", "wybs" and "wyba" in ASCII). A session that holds `(HOLDS, 0)` has written down all that it holds.
 */
const HOLDS = 0x77_79_62_68;
const SEALS = 0x77_79_62_73;
const ALONE = 0x77_79_62_61;
const COMPLETE = 0;

/** On which a process says that there is something new about the keys. */
const CHANNEL = 'waybill_keys';
const LONGEST_PAUSE_MS = 10_000;
/**
 * How long after a session was opened again others may be missing in the register that lost theirs at the same moment, in
 * milliseconds: their longest pause, and some time to connect.
 */
const GATHERING_MS = LONGEST_PAUSE_MS + 5_000;
/** Longest that the end of the session waits for the server, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Which running process holds which keys, and which one it seals with, so that none seals with a key that another cannot open.
 * It is written down as locks of a session of its own: they go when the process goes, however it ends, and nothing has to be
 * cleaned up. A session that is lost is opened again.
 */
export class KeyRegister {
  private readonly options: RegisterOptions;
  private readonly held = new Set<string>();
  private sealing: string | null = null;
  private client: Client | undefined;
  private notifyListener: () => void = () => {};
  private reconnecting = false;
  /** When others have had time to come back as well, by `performance.now()`; infinite while the session is lost. */
  private completeFrom = -Infinity;
  private readonly closed = new AbortController();

  private constructor(options: RegisterOptions) {
    this.options = options;
  }

  /**
   * Connects; nothing is written down yet.
   * @throws the driver's error
   */
  static async open(options: RegisterOptions): Promise<KeyRegister> {
    const register = new KeyRegister(options);
    await register.connect();
    return register;
  }

  /** Calls `listener` when a process has news about the keys, and when the session was lost and is there again. */
  onNews(listener: () => void): void {
    this.notifyListener = listener;
  }

  /**
   * Writes down that this process holds these keys.
   * @throws the driver's error; the new ones among them are not written down then, and may be once more
   */
  async hold(keyIds: readonly string[]): Promise<void> {
    const joined = keyIds.filter((id) => !this.held.has(id));
    // First, so that a session that is opened again meanwhile writes them down too.
    for (const id of joined) this.held.add(id);
    try {
      await this.lock(HOLDS, joined.map(hashOf));
      await this.lock(HOLDS, [COMPLETE]);
    } catch (error) {
      for (const id of joined) this.held.delete(id);
      throw error;
    }
  }

  /**
   * Writes down that this process seals with a key from now on, if every other process holds it; else changes nothing and gives
   * those that do not. What two processes write down at the same moment, at least one of them sees.
   * @param begin begins to seal with it: both keys are written down while it does
   * @throws the driver's error; Error when the session was lost meanwhile. Nothing was begun then, or all is as it must be.
   */
  async sealWith(keyId: string, begin: () => void): Promise<readonly KeyHolder[]> {
    if (this.sealing === keyId) return [];
    const client = this.client;
    await this.lock(SEALS, [hashOf(keyId)]);
    const without = (await this.others()).filter((holder) => !holder.holds(keyId));
    // A session that is opened again writes down what was being sealed with: this key was not, and went with the old session.
    if (this.client !== client) throw new Error('the session of the register of keys was lost');
    let gone: string | null = keyId;
    if (without.length === 0) {
      gone = this.sealing;
      this.sealing = keyId;
      begin();
    }
    if (gone !== null) await this.query('select pg_advisory_unlock_shared($1, $2)', [SEALS, hashOf(gone)]);
    return without;
  }

  /** Whether the others can be told by what is written down: not until they have had time to come back after a loss. */
  get isComplete(): boolean {
    return performance.now() >= this.completeFrom;
  }

  /** The other running processes. */
  async others(): Promise<readonly KeyHolder[]> {
    const rows = await this.query(
      `select l.pid, coalesce(min(a.application_name), '') as name,
         coalesce(array_agg(l.objid::bigint::text) filter (where l.classid::bigint = $1), '{}') as held,
         coalesce(array_agg(l.objid::bigint::text) filter (where l.classid::bigint = $2), '{}') as sealing
       from pg_locks l left join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid::bigint in ($1, $2)
         and l.database = (select oid from pg_database where datname = current_database())
         and l.pid <> pg_backend_pid()
       group by l.pid having bool_or(l.classid::bigint = $1 and l.objid::bigint = $3)`,
      [HOLDS, SEALS, COMPLETE],
    );
    return rows.map(({ name, held, sealing }) => holderOf(String(name), setOf(held), setOf(sealing)));
  }

  /** Tells the other processes that there is news. */
  async tell(): Promise<void> {
    await this.query(`notify ${CHANNEL}`, []);
  }

  /**
   * Runs `work` while no other process runs one of its own.
   * @throws what `work` throws
   */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.query('select pg_advisory_lock($1, 0)', [ALONE]);
    try {
      return await work();
    } finally {
      await this.query('select pg_advisory_unlock($1, 0)', [ALONE]);
    }
  }

  /** Ends the session, and with it all that was written down. A server that does not answer is not waited for. */
  async close(): Promise<void> {
    this.closed.abort();
    const given = sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([this.client?.end().catch(() => {}), given]);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.options.connectionString,
      application_name: this.options.name,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const onLost = (): void => {
      if (this.client === client) void this.reconnect();
    };
    client.on('error', onLost);
    client.on('end', onLost);
    client.on('notification', () => this.notifyListener());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    this.client = client;
  }

  private async reconnect(): Promise<void> {
    if (this.reconnecting || this.closed.signal.aborted) return;
    this.reconnecting = true;
    this.completeFrom = Infinity;
    this.options.logger.debug('the session that shows which keys this process holds was lost');
    for (let pauseMs = 100; !(await this.isBack()); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await sleep(pauseMs, undefined, { signal: this.closed.signal, ref: false }).catch(() => {});
      if (this.closed.signal.aborted) return;
    }
    this.reconnecting = false;
    this.completeFrom = performance.now() + GATHERING_MS;
    this.notifyListener();
  }

  /** Tries once to open the session again, with all that was written down. */
  private async isBack(): Promise<boolean> {
    try {
      await this.connect();
      if (this.closed.signal.aborted) await this.close();
      await this.lock(HOLDS, [...this.held].map(hashOf));
      if (this.sealing !== null) await this.lock(SEALS, [hashOf(this.sealing)]);
      await this.lock(HOLDS, [COMPLETE]);
      return true;
    } catch (error) {
      this.options.logger.debug({ err: error }, 'the keys of this process could not be shown to others');
      // One that shows a part of them would stay, beside the next one.
      void this.client?.end().catch(() => {});
      return false;
    }
  }

  private async lock(lockClass: number, hashes: readonly number[]): Promise<void> {
    await this.query('select pg_advisory_lock_shared($1, hash) from unnest($2::int[]) hash', [
      lockClass,
      [...hashes],
    ]);
  }

  private async query(text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    if (!this.client) throw new Error('the register of keys is not connected');
    const { rows } = await this.client.query<Record<string, unknown>>(text, [...values]);
    return rows;
  }
}

/** How to open the register. */
export interface RegisterOptions {
  readonly connectionString: string;
  /** What this process is called in the database's list of sessions. */
  readonly name: string;
  readonly logger: Logger;
}

function holderOf(name: string, held: ReadonlySet<number>, sealing: ReadonlySet<number>): KeyHolder {
  return {
    name,
    holds: (keyId) => held.has(hashOf(keyId)),
    seals: (keyId) => sealing.has(hashOf(keyId)),
    sealsBeside: (keyIds) => {
      const known = new Set(keyIds.map(hashOf));
      return [...sealing].some((hash) => !known.has(hash));
    },
  };
}

function setOf(texts: unknown): ReadonlySet<number> {
  return new Set(Array.isArray(texts) ? texts.map(Number) : []);
}

/** 31 bits of a key's id, never 0. */
function hashOf(keyId: string): number {
  return createHash('sha256').update(keyId).digest().readUInt32BE() >>> 1 || 1;
}
