import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  record,
  startRelay,
  type OutboxEvent,
  type Relay,
  type RelayLogger,
  type RelayOptions,
} from '../../src/index.js';
import type { ReceivedEvent } from './waybill-stub.js';

/** A line of a relay's log. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A relay of a test, with its log. */
export interface TestRelay {
  readonly status: Relay['status'];
  readonly stop: Relay['stop'];
  readonly drained: Relay['drained'];
  readonly log: readonly LogLine[];
  /** Returns the lines with this message. */
  readonly logged: (message: string) => readonly LogLine[];
}

/** Starts a relay that polls often, so that a test does not depend on notifications. */
export function startTestRelay(pool: pg.Pool, url: string, options: Partial<RelayOptions> = {}): TestRelay {
  const log: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void log.push({ level, message, fields: { ...fields } });
  const logger: RelayLogger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  const relay = startRelay({ pool, url, key: 'test_key', pollIntervalMs: 100, logger, ...options });
  return {
    status: () => relay.status(),
    stop: () => relay.stop(),
    drained: () => relay.drained(),
    log,
    logged: (message) => log.filter((line) => line.message === message),
  };
}

/** An event of an order. `revision` shows the order of its events. */
export function orderEvent(id: string, revision: number, more: Readonly<Record<string, unknown>> = {}): OutboxEvent {
  return {
    type: revision === 1 ? 'order_created.v0' : 'order_updated.v0',
    resourceId: id,
    object: { revision, ...more },
  };
}

/** Records events in a transaction of their own. */
export async function recordAll(pool: pg.Pool, events: readonly OutboxEvent[]): Promise<void> {
  for (let begin = 0; begin < events.length; begin += 1_000) await record(pool, events.slice(begin, begin + 1_000));
}

/** Returns `resource revision` of each event. */
export function revisionsOf(events: readonly ReceivedEvent[]): readonly string[] {
  return events.map(({ resource_id: id, object }) => `${id} ${String(object['revision'])}`);
}

/** Returns the events whose revision is not above that of an earlier event of the same resource. */
export function outOfOrder(events: readonly ReceivedEvent[]): readonly string[] {
  const last = new Map<string, number>();
  return events.flatMap(({ resource_id: id, object }) => {
    const revision = Number(object['revision']);
    const before = last.get(id) ?? 0;
    last.set(id, Math.max(before, revision));
    return revision > before ? [] : [`${id} ${revision} after ${before}`];
  });
}

/**
 * Waits until a condition holds.
 * @throws Error after three minutes
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 180_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`After three minutes it does not hold that ${what}.`);
    await sleep(20);
  }
}

/** Returns the number of rows of a table of the outbox. */
export async function countOf(pool: pg.Pool, table: 'events' | 'rejected', where = 'true'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from waybill_outbox.${table} where ${where}`,
  );
  return rows[0]?.count ?? 0;
}
