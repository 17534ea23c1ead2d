import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabaseTime } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { holdErasures } from '../../delivery/lanes/erasure-fence.js';
import { ignoreUnevaluated, type ReportUnevaluated } from '../../events/rules/unevaluated-filters.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { Walk, type StepEnd } from '../../maintenance/walk.js';
import { filtered } from './backfill-filter.js';
import { BackfillRules } from './backfill-rules.js';
import type { Backfill } from './backfill-store.js';
import {
  BackfillWalkStore,
  hasUnfinishedBackfills,
  type DueBackfill,
  type MatchingPage,
} from './backfill-walk-store.js';
import { keptSince } from './kept-events.js';

/** Most backfills that one round advances. */
const MOST_AT_ONCE = 100;

/** Most deliveries of one portion: a live event waits for one portion at most. */
const MOST_IN_PORTION = 100;
/** Most bytes of the payloads of one portion, unless it has one event. */
const MOST_BYTES_IN_PORTION = 256 * 1024;
/** Most events, and bytes of their payloads, that a step reads to count those that match a filter. */
const FILTERED_PAGE = { events: 2_000, bytes: 1024 * 1024 };
/** Portions in a second, where the rate allows larger ones than one event, and the destination takes them as fast. */
const PORTIONS_PER_SECOND = 4;
/** Longest time without a portion that a larger one makes up for, in milliseconds: slow calls do not lower the rate. */
const CATCH_UP_MS = 3_000;

/** Least pause between two rounds, in milliseconds. */
const PAUSE_MS = 50;
/** Pause of a backfill after a step that failed, in milliseconds. */
const FAILED_STEP_MS = 1_000;
/** Longest pause while a lane is busy or fails, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/** Dependencies of the feeder. */
export interface BackfillFeederParts {
  readonly db: Database;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  readonly logger: Logger;
  /** The retention of events, in milliseconds. */
  readonly eventsMs: number;
  /** Longest time without a portion that a larger one makes up for, in milliseconds. Default: three seconds. */
  readonly catchUpMs?: number;
  /** Called for each filter that cannot be evaluated for an event, which is sent. */
  readonly report?: ReportUnevaluated;
}

/** Counts and feeds the events of backfills, in the background (docs/decisions/earlier-events.md). */
export class BackfillFeeder implements MaintenanceTask {
  readonly name = 'backfills';
  /** The most that a backfill begins late, in milliseconds. */
  readonly intervalMs = 1_000;
  readonly hasWork = hasUnfinishedBackfills;
  private readonly walk: Walk;

  constructor(private readonly parts: BackfillFeederParts) {
    const { db, logger } = parts;
    this.walk = new Walk({
      db,
      logger,
      step: (trx, id) => this.stepWithin(trx, id),
      failure: { message: 'a step of a backfill failed; it will be retried', field: 'backfill' },
      failed: (id) => new BackfillWalkStore(db).delay(id, FAILED_STEP_MS),
    });
  }

  /** Advances backfills until none is unfinished. Ends early, without an error, when `stopped` aborts. */
  async run(control: TurnControl): Promise<void> {
    const { stopped, progressed } = control;
    const walks = new BackfillWalkStore(this.parts.db);
    let laneMs = PAUSE_MS;
    while (!stopped.aborted) {
      const begun = performance.now();
      const { due, othersDueInMs } = await walks.unfinished(MOST_AT_ONCE);
      if (due.length === 0 && othersDueInMs.length === 0) return;
      laneMs = due.length > 0 ? PAUSE_MS : Math.min(2 * laneMs, LONGEST_PAUSE_MS);
      await this.walk.round(due, control);
      progressed();
      const nextMs = Math.min(...due.map(() => PAUSE_MS), ...othersDueInMs.map((ms) => (ms > 0 ? ms : laneMs)));
      // A pause as long as the round: a turn uses half a connection at most.
      const pauseMs = Math.ceil(Math.max(PAUSE_MS, nextMs, performance.now() - begun));
      await sleep(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }

  /** Counts the next events of a backfill, or creates the deliveries of its next portion, when it is due. */
  async step(id: string): Promise<void> {
    await this.walk.step(id);
  }

  private async stepWithin(trx: Transaction, id: string): Promise<StepEnd> {
    const { dispatcher, logger, eventsMs, catchUpMs = CATCH_UP_MS, report = ignoreUnevaluated } = this.parts;
    const backfill = await new BackfillWalkStore(trx).lock(id);
    if (!backfill) return null;
    const since = keptSince(await readDatabaseTime(trx), eventsMs);
    if (backfill.state === 'counting') {
      const counted = await count(trx, backfill, since);
      return () => {
        if (counted !== null) logger.info(counted, 'the events of a backfill are counted');
      };
    }
    await holdErasures(trx, backfill.account_id);
    const queued = await feedPortion(trx, backfill, { since, catchUpMs, report });
    return () => {
      if (queued > 0) dispatcher.notify([backfill.destination_id]);
    };
  }
}

/** The fields of the log line about the end of a count. */
interface Counted {
  readonly backfill: string;
  readonly account_id: string;
  readonly destination: string;
  readonly events: number;
  readonly dry_run: boolean;
}

/** Counts the next events of a backfill. Returns the result at the end of the count; null before. */
async function count(trx: Transaction, backfill: Backfill, since: Date): Promise<Counted | null> {
  const walk = new BackfillWalkStore(trx);
  const { count: found, readThrough } = await nextCount(trx, backfill, since);
  await walk.counted(backfill, found, readThrough);
  if (readThrough !== null) return null;
  const { id, account_id, destination_id: destination, total, dry_run } = backfill;
  return { backfill: id, account_id, destination, events: total + found, dry_run };
}

async function nextCount(
  trx: Transaction,
  backfill: Backfill,
  since: Date,
): Promise<{ readonly count: number; readonly readThrough: string | null }> {
  if (backfill.filter === null) return new BackfillWalkStore(trx).count(backfill, since);
  const { events, readThrough } = await nextMatching(trx, backfill, since, {
    filter: backfill.filter,
    most: FILTERED_PAGE.events,
    // Reported when the event is fed.
    report: ignoreUnevaluated,
  });
  return { count: events.length, readThrough };
}

/** Which events of a backfill are wanted. */
interface Wanted {
  readonly filter: string;
  readonly most: number;
  readonly report: ReportUnevaluated;
}

/** Returns the next events of a backfill that match its filter, at most `most`. */
async function nextMatching(
  trx: Transaction,
  backfill: Backfill,
  since: Date,
  { filter, most, report }: Wanted,
): Promise<MatchingPage> {
  const page = await new BackfillWalkStore(trx).page(backfill, since, FILTERED_PAGE.events);
  return filtered(trx, filter, withinBytes(page, FILTERED_PAGE.bytes), most, ({ id, type }, reason) =>
    report({ reason, eventId: id, eventType: type, of: { backfill: backfill.id } }),
  );
}

/** What a portion is made with, beside its backfill. */
interface Feeding {
  readonly since: Date;
  readonly catchUpMs: number;
  readonly report: ReportUnevaluated;
}

/** Returns the next portion of a backfill. */
async function nextPortion(
  trx: Transaction,
  backfill: DueBackfill,
  { since, catchUpMs, report }: Feeding,
): Promise<MatchingPage> {
  const { filter } = backfill;
  const most = portionOf(backfill, catchUpMs);
  const page =
    filter === null
      ? await new BackfillWalkStore(trx).page(backfill, since, most)
      : await nextMatching(trx, backfill, since, { filter, most, report });
  return withinBytes(page, MOST_BYTES_IN_PORTION);
}

/** Creates the deliveries of the next portion, and returns how many. */
async function feedPortion(trx: Transaction, backfill: DueBackfill, feeding: Feeding): Promise<number> {
  const walk = new BackfillWalkStore(trx);
  const { events: portion, readThrough } = await nextPortion(trx, backfill, feeding);
  const rules = new BackfillRules(trx, feeding.report);
  const admitted = await rules.admitted(backfill, portion);
  const created = await walk.insertDeliveries(
    backfill,
    admitted.map(({ id }) => id),
  );
  await rules.project(
    backfill,
    admitted.filter(({ id }) => created.has(id)),
  );
  const queued = created.size;
  await walk.passed(backfill, { queued, skipped: portion.length - queued }, readThrough, feeding.catchUpMs);
  return queued;
}

/** Returns how many events a portion has, for the rate of the backfill and the time that it was due. */
function portionOf({ events_per_second: rate, overdue_ms: overdueMs }: DueBackfill, catchUpMs: number): number {
  const overdue = Math.min(overdueMs, catchUpMs) / 1_000;
  return Math.min(MOST_IN_PORTION, Math.ceil(rate * (1 / PORTIONS_PER_SECOND + overdue)));
}

/** Returns the first events of a page whose payloads are short enough together, and one at least. */
function withinBytes(page: MatchingPage, most: number): MatchingPage {
  let bytes = 0;
  const end = page.events.findIndex((event, index) => {
    bytes += event.bytes;
    return index > 0 && bytes > most;
  });
  if (end === -1) return page;
  const events = page.events.slice(0, end);
  return { events, readThrough: events.at(-1)?.id ?? null };
}
