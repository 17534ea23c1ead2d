import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { idBound, timeOfId } from '../../ids/id-time.js';
import type { Database, Transaction } from '../database.js';
import { isCanceled, isLockWait } from '../lock-waits.js';

const DAY_MS = 86_400_000;

/**
 * How long a change of partitions waits for a lock, in milliseconds. Statements that need the table wait behind it for
 * that time, so it is short, and repeated.
 */
const LOCK_TIMEOUT_MS = 50;
const LOCK_TRIES = 10;
const LOCK_PAUSE_MS = 200;

/** Longest time that a statement may run under such a lock, in milliseconds. */
const LOCKED_STATEMENT_MS = 1_000;
/** Longest time that a statement may read the default partition while writers continue, in milliseconds. */
const VALIDATION_MS = 20_000;

/** Most rows of a new day that move out of the default partition. With more, the day stays there. */
const MAX_MOVED = 10_000;

/**
 * A table that is partitioned by range of a TypeID, one partition for each day or number of days in UTC, and a default
 * partition for the ids outside: of clocks that are wrong, and of days that were dropped.
 */
export interface DayPartitionedTable {
  readonly name: string;
  /** The column of the partition key: `text collate "C"`. */
  readonly key: string;
  /** The prefix of its ids. */
  readonly prefix: string;
  /** Storage parameters of each partition, as in `alter table … set (…)`; Postgres does not inherit them. */
  readonly storage?: string;
}

/** The partition of one or more days. */
export interface DayPartition {
  readonly name: string;
  /** The beginning of the first day, in UTC. */
  readonly day: Date;
  /** The end of the last day, which is the beginning of the next one. */
  readonly end: Date;
}

/** Result of dropping a partition. */
export type DropResult =
  | 'dropped'
  /** The condition did not hold. */
  | 'kept'
  /** Other transactions held locks on the table, or the partition was too slow to check. */
  | 'busy';

/** Returns the beginning of the day of a time, in UTC. */
export function startOfDay(time: Date): Date {
  return new Date(time.getTime() - (((time.getTime() % DAY_MS) + DAY_MS) % DAY_MS));
}

/** Returns the beginnings of the days from that of `from` to that of `to`, both included. */
export function daysBetween(from: Date, to: Date): readonly Date[] {
  const first = startOfDay(from).getTime();
  const count = (startOfDay(to).getTime() - first) / DAY_MS + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => new Date(first + index * DAY_MS));
}

/** Returns the bounds of a day among the ids with a prefix: the first is inclusive, the second exclusive. */
export function dayBounds(prefix: string, day: Date): readonly [string, string] {
  const start = startOfDay(day);
  return [idBound(prefix, start), idBound(prefix, addDays(start, 1))];
}

/** Returns the same time some days later. */
export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}

/** Returns the name of the partition of a day. */
export function partitionName(table: string, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Returns the name of the default partition. */
export function defaultPartitionName(table: string): string {
  return `${table}_default`;
}

/** The partitions of one table, by day. */
export class DayPartitions {
  constructor(
    private readonly db: Database,
    private readonly table: DayPartitionedTable,
  ) {}

  /** Returns the partitions of days, oldest first. */
  async list(): Promise<readonly DayPartition[]> {
    const { rows } = await sql<{ name: string; bounds: string }>`
      select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${this.table.name}::regclass`.execute(this.db);
    return rows
      .flatMap(({ name, bounds }) => {
        const [, from, to] = /FROM \('(.*)'\) TO \('(.*)'\)/.exec(bounds) ?? [];
        return from === undefined || to === undefined ? [] : [{ name, day: timeOfId(from), end: timeOfId(to) }];
      })
      .toSorted((a, b) => a.day.getTime() - b.day.getTime());
  }

  /**
   * Creates partitions that follow the last one, of so many days each, until they reach a time. Their bounds are
   * multiples of that number of days, so that a change of the number takes effect with the next partition. Rows move,
   * and locks are taken, as by `ensure`.
   * @param from where the first partition begins if there is none
   * @returns the beginnings of the partitions that are missing
   */
  async extend(from: Date, until: Date, days: number): Promise<readonly Date[]> {
    const ranges: [Date, Date][] = [];
    let begin = (await this.list()).at(-1)?.end ?? startOfDay(from);
    while (begin < until) {
      const end = new Date((Math.floor(begin.getTime() / DAY_MS / days) + 1) * days * DAY_MS);
      ranges.push([begin, end]);
      begin = end;
    }
    return this.addAll(ranges);
  }

  /**
   * Creates the partitions of these days that are missing. Rows of a new day move out of the default partition with it.
   * A day stays in the default partition where it has too many rows there, and where its locks are not free: the next
   * call tries again.
   * @returns the days that are still missing
   */
  async ensure(days: readonly Date[]): Promise<readonly Date[]> {
    const present = new Set((await this.list()).map(({ name }) => name));
    const missing = days.filter((day) => !present.has(partitionName(this.table.name, day)));
    return this.addAll(missing.map((day) => [day, addDays(day, 1)]));
  }

  /**
   * Drops a partition if `isDue` holds, which runs in the transaction that has locked the table: nothing is written
   * between the check and the end of the partition. It must be quick. What it writes is committed with the drop.
   */
  async drop({ name }: DayPartition, isDue: (trx: Transaction) => Promise<boolean>): Promise<DropResult> {
    return this.underLock(async (trx) => {
      // The table alone: a vacuum of another partition does not matter.
      await sql`lock table only ${sql.id(this.table.name)} in access exclusive mode`.execute(trx);
      if (!(await isDue(trx))) return 'kept';
      await sql`drop table if exists ${sql.id(name)}`.execute(trx);
      return 'dropped';
    });
  }

  /** Creates partitions, and returns the beginnings of those that are missing. */
  private async addAll(ranges: readonly (readonly [day: Date, end: Date])[]): Promise<readonly Date[]> {
    const missing: Date[] = [];
    try {
      for (const [day, end] of ranges) if ((await this.add(day, end)) !== 'created') missing.push(day);
    } finally {
      await this.dropExclusions();
    }
    return missing;
  }

  /**
   * Creates a partition. To attach one, Postgres reads the whole default partition under the lock, unless a constraint
   * says that none of its rows belongs to the new one.
   */
  private async add(day: Date, end: Date): Promise<'created' | 'kept' | 'busy'> {
    if ((await this.mayExclude(day, end)) && (await this.exclude(day, end)) === 'busy') return 'busy';
    return this.underLock((trx) => this.create(trx, day, end));
  }

  /** Whether the default partition has rows, none of them of these days, and gets none: the days are not near. */
  private async mayExclude(day: Date, end: Date): Promise<boolean> {
    const { rest } = this;
    const { rows } = await sql`
      select where ${day} > now() + interval '1 day'
        and exists (select from ${rest}) and not exists (select from ${rest} where ${this.within(day, end)})`.execute(
      this.db,
    );
    return rows.length > 0;
  }

  /** Adds a constraint to the default partition: it has no rows of these days. Writers continue while it is read. */
  private async exclude(day: Date, end: Date): Promise<'excluded' | 'busy'> {
    const exclusion = exclusionName(this.table.name, day);
    const name = sql.id(exclusion);
    const isAdded = async (trx: Transaction) => (await this.exclusions(trx)).includes(exclusion);
    const added = await this.underLock(async (trx) => {
      await this.lockPartitions(trx);
      if (await isAdded(trx)) return;
      await sql`
        alter table ${this.rest} add constraint ${name} check (not (${this.within(day, end)})) not valid`.execute(trx);
    });
    if (added === 'busy') return 'busy';
    const validated = await this.underLock(async (trx) => {
      await this.lockPartitions(trx);
      // Another process may have dropped it.
      if (!(await isAdded(trx))) return;
      await sql`alter table ${this.rest} validate constraint ${name}`.execute(trx);
    }, VALIDATION_MS);
    return validated ?? 'excluded';
  }

  /** Drops the constraints of days, which would refuse their rows. A process that was killed may have left some. */
  private async dropExclusions(): Promise<void> {
    const names = await this.exclusions(this.db);
    if (names.length === 0) return;
    await this.underLock(async (trx) => {
      await this.lockPartitions(trx);
      for (const name of names) await this.dropExclusion(trx, name);
    });
  }

  /** Returns the names of the constraints of days. */
  private async exclusions(db: Database): Promise<readonly string[]> {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint
      where conrelid = ${defaultPartitionName(this.table.name)}::regclass and conname like ${`%${EXCLUSION}`}`.execute(
      db,
    );
    return rows.map(({ name }) => name);
  }

  private async dropExclusion(trx: Transaction, name: string): Promise<void> {
    await sql`alter table ${this.rest} drop constraint if exists ${sql.id(name)}`.execute(trx);
  }

  /** Waits for other processes: those that start at the same time create the same partition. */
  private async lockPartitions(trx: Transaction): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`partitions of ${this.table.name}`}, 0))`.execute(trx);
  }

  /** The condition that a row belongs to these days. */
  private within(day: Date, end: Date): RawBuilder<unknown> {
    const { key, prefix } = this.table;
    const [from, to] = [sql.lit(idBound(prefix, day)), sql.lit(idBound(prefix, end))];
    return sql`${sql.id(key)} >= ${from} and ${sql.id(key)} < ${to}`;
  }

  private get rest(): RawBuilder<unknown> {
    return sql.id(defaultPartitionName(this.table.name));
  }

  /**
   * Creates a partition. Writers of the table wait for that time: an insert that has chosen the default partition would
   * fail once the partition is attached. Readers of other partitions continue.
   */
  private async create(trx: Transaction, day: Date, end: Date): Promise<'created' | 'kept'> {
    const { table, rest } = this;
    const name = partitionName(table.name, day);
    const [from, to] = [idBound(table.prefix, day), idBound(table.prefix, end)];
    const ofDay = this.within(day, end);
    await this.lockPartitions(trx);
    const { rows: present } = await sql`select where to_regclass(${name}) is not null`.execute(trx);
    if (present.length > 0) return 'created';
    await sql`lock table only ${sql.id(table.name)} in share row exclusive mode`.execute(trx);
    await sql`
      create table ${sql.id(name)} (like ${sql.id(table.name)} including all) ${withStorage(table)}`.execute(trx);
    await sql`lock table ${rest} in access exclusive mode`.execute(trx);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (select from ${rest} where ${ofDay} limit ${MAX_MOVED + 1}) counted`.execute(
      trx,
    );
    const count = rows[0]?.count ?? 0;
    if (count > MAX_MOVED) {
      await sql`drop table ${sql.id(name)}`.execute(trx);
      return 'kept';
    }
    if (count > 0) {
      await sql`
        with moved as (delete from ${rest} where ${ofDay} returning *)
        insert into ${sql.id(name)} select * from moved`.execute(trx);
    }
    await sql`
      alter table ${sql.id(table.name)} attach partition ${sql.id(name)}
      for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(trx);
    await this.dropExclusion(trx, exclusionName(table.name, day));
    return 'created';
  }

  /** Runs a change in a transaction that waits for each lock for a short time only, and repeats it a few times. */
  private async underLock<Result>(
    change: (trx: Transaction) => Promise<Result>,
    statementMs: number = LOCKED_STATEMENT_MS,
  ): Promise<Result | 'busy'> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.db.transaction().execute(async (trx) => {
          await sql`
            select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true),
                   set_config('statement_timeout', ${`${statementMs}ms`}, true)`.execute(trx);
          return change(trx);
        });
      } catch (error) {
        if (isCanceled(error) || (isLockWait(error) && tries >= LOCK_TRIES)) return 'busy';
        if (!isLockWait(error)) throw error;
      }
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/** The end of the name of a constraint by which the default partition has no rows of a day. */
const EXCLUSION = '_excluded';

function exclusionName(table: string, day: Date): string {
  return `${partitionName(table, day)}${EXCLUSION}`;
}

function withStorage({ storage }: DayPartitionedTable): RawBuilder<unknown> {
  return storage === undefined ? sql`` : sql`with (${sql.raw(storage)})`;
}
