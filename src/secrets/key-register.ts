import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CONNECTION_TIMEOUT_MS } from '../database/database.js';
import type { Logger } from '../logging/logger.js';

/** Another running process that uses the secrets of this database. */
export interface KeyHolder {
  /** The `application_name` of its session, such as `waybill api-1 keys`. */
  readonly name: string;
  holds(keyId: string): boolean;
  seals(keyId: string): boolean;
  /** Returns whether the process seals with a key that is none of these. */
  sealsWithOther(keyIds: readonly string[]): boolean;
}

/**
 * Classes of the shared advisory locks `(class, hash of a key's id)`. The values are "wybh", "wybs" and "wyba" in
 * ASCII. A session registers `(HOLDS, COMPLETE)` last, so that a partly registered session is not read.
 */
const HOLDS = 0x77_79_62_68;
const SEALS = 0x77_79_62_73;
const EXCLUSIVE = 0x77_79_62_61;
const COMPLETE = 0;

/** The channel of notifications that keys or holders have changed. */
const CHANNEL = 'waybill_keys';
const MAX_RECONNECT_PAUSE_MS = 10_000;
/**
 * After a restart of Postgres all sessions reconnect. For this long after its own reconnect, a process may not see the
 * others: their longest pause, and some time to connect.
 */
const REJOIN_MS = MAX_RECONNECT_PAUSE_MS + 5_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Registers which keys each running process holds and which key it seals with, so that no process seals with a key that
 * another process lacks. The entries are advisory locks of one database session for each process. Postgres drops them
 * when the process ends, however it ends. A lost session is opened again. docs/decisions/secrets-rotation.md says why.
 */
export class KeyRegister {
  private readonly options: RegisterOptions;
  private readonly held = new Set<string>();
  private sealing: string | null = null;
  private client: Client | undefined;
  private listener: () => void = () => {};
  private reconnecting = false;
  /** When the others have had time to reconnect, by `performance.now()`; infinite while the session is lost. */
  private completeFrom = -Infinity;
  private readonly closed = new AbortController();

  private constructor(options: RegisterOptions) {
    this.options = options;
  }

  /**
   * Connects, and registers nothing yet.
   * @throws the driver's error
   */
  static async open(options: RegisterOptions): Promise<KeyRegister> {
    const register = new KeyRegister(options);
    await register.connect();
    return register;
  }

  /** Calls `listener` when another process calls `notify`, and when the session was lost and is open again. */
  subscribe(listener: () => void): void {
    this.listener = listener;
  }

  /**
   * Registers that this process holds these keys.
   * @throws the driver's error; the new keys are not registered then, and the call can be repeated
   */
  async hold(keyIds: readonly string[]): Promise<void> {
    const joined = keyIds.filter((id) => !this.held.has(id));
    // Before the query, so that a reconnect during the query registers them too.
    for (const id of joined) this.held.add(id);
    try {
      await this.lock(joined, null);
    } catch (error) {
      for (const id of joined) this.held.delete(id);
      throw error;
    }
  }

  /**
   * Switches this process to a key, if every other process holds that key. Otherwise changes nothing. Registers first
   * and reads the others afterwards, so that of two processes that switch at once at least one sees the other.
   * @param begin starts to seal with the key; both keys are registered while it runs
   * @returns the processes that lack the key
   * @throws the driver's error; Error when the session was lost. `begin` was not called, or the switch is
   * complete.
   */
  async sealWith(keyId: string, begin: () => void): Promise<readonly KeyHolder[]> {
    if (this.sealing === keyId) return [];
    const client = this.client;
    await this.query('select pg_advisory_lock_shared($1, $2)', [SEALS, hashOf(keyId)]);
    const lacking = (await this.others()).filter((holder) => !holder.holds(keyId));
    // A reconnect registers `this.sealing`, so the lock above went with the old session.
    if (this.client !== client) throw new Error('The session of the key register was lost.');
    let unused: string | null = keyId;
    if (lacking.length === 0) {
      unused = this.sealing;
      this.sealing = keyId;
      begin();
    }
    if (unused !== null) await this.query('select pg_advisory_unlock_shared($1, $2)', [SEALS, hashOf(unused)]);
    return lacking;
  }

  /** Whether `others` is complete: not while this session or those of others may be reconnecting. */
  get isComplete(): boolean {
    return performance.now() >= this.completeFrom;
  }

  /** Returns the other running processes. */
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

  /** Calls the listeners of all processes. */
  async notify(): Promise<void> {
    await this.query(`notify ${CHANNEL}`, []);
  }

  /**
   * Runs `work` while no other process runs such work.
   * @throws what `work` throws
   */
  async exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.query('select pg_advisory_lock($1, 0)', [EXCLUSIVE]);
    try {
      return await work();
    } finally {
      await this.query('select pg_advisory_unlock($1, 0)', [EXCLUSIVE]);
    }
  }

  /** Ends the session, and with it all entries of this process. Waits two seconds at most for the server. */
  async close(): Promise<void> {
    this.closed.abort();
    const timeout = sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([this.client?.end().catch(() => {}), timeout]);
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
    client.on('notification', () => this.listener());
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
    this.options.logger.debug('the session of the key register was lost');
    for (let pauseMs = 100; !(await this.rejoin()); pauseMs = Math.min(pauseMs * 2, MAX_RECONNECT_PAUSE_MS)) {
      await sleep(pauseMs, undefined, { signal: this.closed.signal, ref: false }).catch(() => {});
      if (this.closed.signal.aborted) return;
    }
    this.reconnecting = false;
    this.completeFrom = performance.now() + REJOIN_MS;
    this.listener();
  }

  /** Tries once to open the session again and to register all entries. Returns whether that succeeded. */
  private async rejoin(): Promise<boolean> {
    try {
      await this.connect();
      if (this.closed.signal.aborted) await this.close();
      await this.lock([...this.held], this.sealing);
      return true;
    } catch (error) {
      this.options.logger.debug({ err: error }, 'the key register could not be joined again: retrying');
      // A session with a part of the entries would stay beside the next one.
      void this.client?.end().catch(() => {});
      return false;
    }
  }

  private async lock(held: readonly string[], sealing: string | null): Promise<void> {
    const locks = held.map((id) => [HOLDS, hashOf(id)]);
    if (sealing !== null) locks.push([SEALS, hashOf(sealing)]);
    locks.push([HOLDS, COMPLETE]);
    await this.query(
      'select pg_advisory_lock_shared(class, hash) from unnest($1::int[], $2::int[]) as l (class, hash)',
      [locks.map(([lockClass]) => lockClass), locks.map(([, hash]) => hash)],
    );
  }

  private async query(text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    if (!this.client) throw new Error('The key register is not connected.');
    const { rows } = await this.client.query<Record<string, unknown>>(text, [...values]);
    return rows;
  }
}

/** How to open the register. */
export interface RegisterOptions {
  readonly connectionString: string;
  /** The `application_name` of the session. */
  readonly name: string;
  readonly logger: Logger;
}

function holderOf(name: string, held: ReadonlySet<number>, sealing: ReadonlySet<number>): KeyHolder {
  return {
    name,
    holds: (keyId) => held.has(hashOf(keyId)),
    seals: (keyId) => sealing.has(hashOf(keyId)),
    sealsWithOther: (keyIds) => {
      const known = new Set(keyIds.map(hashOf));
      return [...sealing].some((hash) => !known.has(hash));
    },
  };
}

function setOf(texts: unknown): ReadonlySet<number> {
  return new Set(Array.isArray(texts) ? texts.map(Number) : []);
}

/** Returns 31 bits of the hash of a key's id, never 0 (COMPLETE). */
function hashOf(keyId: string): number {
  return createHash('sha256').update(keyId).digest().readUInt32BE() >>> 1 || 1;
}
