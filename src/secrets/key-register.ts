import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockHolder, ProcessSession } from '../database/connections/process-session.js';

/** Another running process that uses the secrets of this database. */
export interface KeyHolder {
  /** The `application_name` of its session, such as `waybill api-1 session`. */
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
/**
 * After a restart of Postgres all sessions are opened again. For this long after its own, a process may not see the
 * others.
 */
const REJOIN_MS = 15_000;
/** Pause between two tries to work exclusively, in milliseconds. */
const EXCLUSIVE_PAUSE_MS = 200;

/**
 * Registers which keys each running process holds and which key it seals with, so that no process seals with a key that
 * another process lacks. The entries are locks of the session of each process. docs/decisions/secrets-rotation.md says
 * why.
 */
export class KeyRegister implements LockHolder {
  private readonly held = new Set<string>();
  private sealing: string | null = null;
  private listener: () => void = () => {};
  /** Number of sessions so far. */
  private sessions = 0;

  private constructor(private readonly session: ProcessSession) {}

  /** Joins the session, and registers nothing yet. */
  static async join(session: ProcessSession): Promise<KeyRegister> {
    const register = new KeyRegister(session);
    await session.join(register);
    return register;
  }

  /** Calls `listener` when another process calls `notify`, and when the session was lost and is open again. */
  subscribe(listener: () => void): void {
    this.listener = listener;
  }

  /** Registers everything again on a new session. */
  async takeLocks(): Promise<void> {
    this.sessions += 1;
    await this.session.query(`listen ${CHANNEL}`);
    if (this.held.size > 0) await this.lock([...this.held], this.sealing);
    this.listener();
  }

  notified(): void {
    this.listener();
  }

  /**
   * Registers that this process holds these keys.
   * @throws the driver's error; the new keys are not registered then, and the call can be repeated
   */
  async hold(keyIds: readonly string[]): Promise<void> {
    const joined = keyIds.filter((id) => !this.held.has(id));
    // Before the query, so that a new session during the query registers them too.
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
    const { sessions } = this;
    await this.session.query('select pg_advisory_lock_shared($1, $2)', [SEALS, hashOf(keyId)]);
    const lacking = (await this.others()).filter((holder) => !holder.holds(keyId));
    // A new session registers `this.sealing`, so the lock above went with the old one.
    if (this.sessions !== sessions) throw new Error('The session of the key register was lost.');
    let unused: string | null = keyId;
    if (lacking.length === 0) {
      unused = this.sealing;
      this.sealing = keyId;
      begin();
    }
    if (unused !== null) await this.session.query('select pg_advisory_unlock_shared($1, $2)', [SEALS, hashOf(unused)]);
    return lacking;
  }

  /** Whether `others` is complete: not while this session is lost, or those of others may be. */
  get isComplete(): boolean {
    return this.session.isSettled(REJOIN_MS);
  }

  /** Returns the other running processes. */
  async others(): Promise<readonly KeyHolder[]> {
    const rows = await this.session.query(
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
    await this.session.query(`notify ${CHANNEL}`);
  }

  /**
   * Runs `work` while no other process runs such work.
   * @throws what `work` throws
   */
  async exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const tryLock = () => this.session.query('select where pg_try_advisory_lock($1, 0)', [EXCLUSIVE]);
    while ((await tryLock()).length === 0) await sleep(EXCLUSIVE_PAUSE_MS);
    try {
      return await work();
    } finally {
      await this.session.query('select pg_advisory_unlock($1, 0)', [EXCLUSIVE]);
    }
  }

  private async lock(held: readonly string[], sealing: string | null): Promise<void> {
    const locks = held.map((id) => [HOLDS, hashOf(id)]);
    if (sealing !== null) locks.push([SEALS, hashOf(sealing)]);
    locks.push([HOLDS, COMPLETE]);
    await this.session.query(
      'select pg_advisory_lock_shared(class, hash) from unnest($1::int[], $2::int[]) as l (class, hash)',
      [locks.map(([lockClass]) => lockClass), locks.map(([, hash]) => hash)],
    );
  }
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
