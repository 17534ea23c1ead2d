import { erasureText, type LeafRange } from '@waybill/verify';
import type { Database, Transaction } from '../database/database.js';
import type { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { eraseMessages } from '../delivery/finished/erase-messages.js';
import { logOrigin } from '../delivery/lanes/delivered-event.js';
import { beginErasing } from '../delivery/lanes/erasure-fence.js';
import { erasureEventOf } from '../events/catalogue/erasure-event.js';
import { eraseEvents } from '../events/erasure/erase-events.js';
import { EventStore } from '../events/fan-out/event-store.js';
import { ExportWorkStore } from '../exports/work/export-work-store.js';
import { eraseResponses } from '../http/idempotency/idempotency-store.js';
import type { Logger } from '../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../maintenance/maintenance.js';
import { Walk, type StepEnd } from '../maintenance/walk.js';
import type { KeyRing } from '../secrets/key-ring.js';
import { signedNote, type LogKeys, type SigningKey } from '../secrets/log-keys.js';
import { isAskedFor } from './erasure-seal.js';
import { ErasureStore, hasUnfinishedErasures, type Erasure } from './erasure-store.js';

/** Most erasures of one round. */
const MOST_AT_ONCE = 100;

/** Most events that a step reads, and most that it erases. */
const MOST_READ = 2_000;
const MOST_ERASED = 200;

/** Most deliveries of the events that a step erases, unless it erases one. */
const MOST_DELIVERIES = 20_000;

/** Most ranges of a record: with its signature, it fits into an event. */
const MOST_RANGES = 1_500;

/** Most numbers that a step reads for a record. */
const MOST_NUMBERS = 20_000;

/** Time until events that wait for a delivery are looked at again, in milliseconds. */
const AGAIN_MS = 10_000;

/** Time until a log that lacks numbers is looked at again, and until a step that failed is tried again. */
const LATER_MS = 1_000;

/** What the runner works with. */
export interface ErasureRunnerParts {
  readonly db: Database;
  readonly ring: Pick<KeyRing, 'keyIds' | 'open'>;
  readonly keys: Pick<LogKeys, 'logName' | 'signing'>;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  readonly logger: Logger;
  /** Most events that a step erases; absent: the usual number. */
  readonly mostErased?: number;
  /** Time until events that wait for a delivery are looked at again, in milliseconds; absent: the usual one. */
  readonly againMs?: number;
}

/**
 * Erases events in the background (docs/decisions/proof.md). A pass walks through the events that an erasure names, and
 * leaves those that wait for a delivery. Its records follow, then another pass, until none waits. A step is one
 * transaction: after a crash, the next one continues there.
 */
export class ErasureRunner implements MaintenanceTask {
  readonly name = 'erasures';
  /** The most that an erasure begins late, in milliseconds. */
  readonly intervalMs = 1_000;
  readonly hasWork = hasUnfinishedErasures;
  private readonly walk: Walk;
  private signing: readonly SigningKey[] = [];

  constructor(private readonly parts: ErasureRunnerParts) {
    const { db, logger } = parts;
    this.walk = new Walk({
      db,
      logger,
      step: (trx, id) => this.stepWithin(trx, id),
      failure: { message: 'a step of an erasure failed; it will be retried', field: 'erasure' },
      failed: (id) => new ErasureStore(db).delay(id, LATER_MS),
    });
  }

  /** Makes steps of the erasures that are due until none is. Ends early, without an error, when `stopped` aborts. */
  async run(control: TurnControl): Promise<void> {
    const { db, keys } = this.parts;
    const store = new ErasureStore(db);
    await this.walk.untilNoneAdvances(async () => {
      const due = await store.due(MOST_AT_ONCE);
      if (due.length > 0) this.signing = await keys.signing();
      return due;
    }, control);
  }

  private async stepWithin(trx: Transaction, id: string): Promise<StepEnd> {
    const store = new ErasureStore(trx);
    const erasure = await store.lock(id);
    if (!erasure) return null;
    if (!isAskedFor(this.parts.ring, erasure)) {
      await store.finish(id, 'failed');
      const fields = { erasure: id, account_id: erasure.account_id };
      return () => this.parts.logger.error(fields, 'an erasure is not as it was asked for: it is not carried out');
    }
    return erasure.state === 'erasing' ? this.erase(trx, erasure) : this.record(trx, erasure);
  }

  /** Erases the next events that have no delivery to come. At the end of a pass, exports with erased events go, too. */
  private async erase(trx: Transaction, erasure: Erasure): Promise<StepEnd> {
    const { mostErased = MOST_ERASED } = this.parts;
    const store = new ErasureStore(trx);
    await beginErasing(trx, erasure.account_id);
    const { ids: all, readThrough } = await store.candidates(erasure, MOST_READ);
    const ids = all.slice(0, mostErased);
    const ended = await store.ended(ids);
    const erased: string[] = [];
    let deliveries = 0;
    let passed = 0;
    for (const one of ids) {
      deliveries += ended.get(one) ?? 0;
      if (passed > 0 && deliveries > MOST_DELIVERIES) break;
      if (ended.has(one)) erased.push(one);
      passed += 1;
    }
    if (erased.length > 0) {
      await store.keepNumbers(erasure.id, erased);
      await eraseMessages(trx, erased);
      await eraseResponses(trx, await eraseEvents(trx, erasure.id, erased));
    }
    const through = passed < all.length ? (ids[passed - 1] ?? null) : readThrough;
    await store.passed(erasure.id, erased.length, passed - erased.length, through);
    if (through === null && erasure.pass_erased + erased.length > 0)
      await new ExportWorkStore(trx).discard(erasure.account_id);
    return () => {};
  }

  /** Signs a record of erased numbers, and tells its destination; when none is left, ends the pass or the erasure. */
  private async record(trx: Transaction, erasure: Erasure): Promise<StepEnd> {
    const { keys, dispatcher, logger, againMs = AGAIN_MS } = this.parts;
    const { id, account_id: accountId } = erasure;
    const store = new ErasureStore(trx);
    const [first, ...others] = await store.logged(erasure, MOST_NUMBERS);
    if (first) {
      const { destinationId, epoch, firstSequence, logId } = first;
      const ofLog = [first, ...others].filter((number) => number.logId === logId);
      const { ranges, numbers } = rangesOf(
        ofLog.map(({ sequence }) => sequence),
        firstSequence,
      );
      const origin = logOrigin(keys.logName, destinationId, epoch);
      const text = erasureText({ origin, erasureId: id, at: new Date().toISOString(), ranges });
      const note = await signedNote(this.signing, origin, text);
      await store.record(id, first, numbers, note);
      if (!(await store.hasLane(destinationId))) return () => {};
      const event = erasureEventOf(accountId, {
        ...statementOf(erasure),
        events: numbers.length,
        log: origin,
        record: note,
      });
      await new EventStore(trx).insertAddressed([{ ...event, destinationId }]);
      return () => dispatcher.notify([destinationId]);
    }
    if (await store.awaitsLogs(erasure)) {
      await store.delay(id, LATER_MS);
      return null;
    }
    if (erasure.pass_waiting > 0) {
      await store.passAgain(id, againMs);
      return () => {};
    }
    const numbers = await store.kept(id);
    await store.finish(id, numbers === 0 ? 'finished' : 'failed');
    const object = { ...statementOf(erasure), events: erasure.erased, log: null, record: null };
    await new EventStore(trx).insertUnsent(erasureEventOf(accountId, object));
    const fields = { erasure: id, account_id: accountId, events: erasure.erased };
    return () => {
      if (numbers === 0) logger.info(fields, 'an erasure is finished');
      else logger.error({ ...fields, numbers }, 'numbers are not recorded as erased: their events are not');
    };
  }
}

/** Returns what the events about an erasure say. */
function statementOf(erasure: Erasure) {
  const { id, kind, reason, principal_id, principal_subject } = erasure;
  return {
    id,
    kind,
    to: erasure.to_time.toISOString(),
    reason,
    requested_by: { id: principal_id, subject: principal_subject },
    requested_at: erasure.created_at.toISOString(),
  };
}

/** Returns the first numbers as ranges of indexes, as many as a record may have. @param numbers ascending */
function rangesOf(
  numbers: readonly number[],
  firstSequence: number,
): { readonly ranges: readonly LeafRange[]; readonly numbers: readonly number[] } {
  const ranges: [start: number, end: number][] = [];
  for (const [at, number] of numbers.entries()) {
    const index = number - firstSequence;
    const last = ranges.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else if (ranges.length === MOST_RANGES) return { ranges, numbers: numbers.slice(0, at) };
    else ranges.push([index, index + 1]);
  }
  return { ranges, numbers };
}
