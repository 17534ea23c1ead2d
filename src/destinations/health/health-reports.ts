import type { Database, Transaction } from '../../database/database.js';
import type { DeliveryObserver } from '../../delivery/delivery-observer.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { deliveryRejectedEvent, statusChangedEvent } from '../../events/catalogue/health-events.js';
import { systemContext } from '../../events/envelope/system-context.js';
import { EventRecorder, type HealthReport } from '../../events/fan-out/event-recorder.js';
import { fanOutLimits } from '../../events/fan-out/fan-out-statement.js';
import { UnevaluatedFilters } from '../../events/rules/unevaluated-filters.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { HealthStore, type ReportedDestination } from './health-store.js';

const INTERVAL_MS = 15_000;

/** Destinations of one query. */
const PAGE_SIZE = 100;

/** Rejections without a reader that one statement removes. */
const UNREAD_PAGE = 5_000;

/**
 * The maintenance task that records the events about the health of destinations
 * (docs/decisions/destinations.md).
 */
export function healthReports(
  db: Database,
  logger: Logger,
  dispatcher: Dispatcher,
  observer: DeliveryObserver,
): MaintenanceTask {
  const filters = new UnevaluatedFilters(logger, observer);
  const recorder = new EventRecorder(fanOutLimits, filters.sent);
  const reports = new HealthReports(db, new HealthStore(db), dispatcher, logger, recorder);
  return { name: 'health_reports', intervalMs: INTERVAL_MS, run: (control) => reports.turn(control) };
}

/** Records the events about the health of destinations. */
export class HealthReports {
  private readonly errors: ThrottledLog;

  constructor(
    private readonly db: Database,
    private readonly store: HealthStore,
    private readonly dispatcher: Pick<Dispatcher, 'notify'>,
    logger: Logger,
    private readonly recorder: EventRecorder = new EventRecorder(),
  ) {
    this.errors = new ThrottledLog(logger);
  }

  /** Records all that is due, and returns the number of events. Ends early, without an error, when `stopped` aborts. */
  async turn(control: TurnControl): Promise<number> {
    const changes = await this.each(
      control,
      (after) => this.store.changed(after, PAGE_SIZE),
      (trx, id) => this.status(trx, id),
    );
    while (!control.stopped.aborted && (await this.store.dropUnread(UNREAD_PAGE)) === UNREAD_PAGE) control.progressed();
    const rejections = await this.each(
      control,
      (after) => this.store.withRejections(after, PAGE_SIZE),
      (trx, id) => this.rejections(trx, id),
    );
    await this.store.prune();
    return changes + rejections;
  }

  /** Records what `record` does for each destination, in a transaction of its own. Returns the number of events. */
  private async each(
    { stopped, progressed }: TurnControl,
    page: (after: string) => Promise<readonly string[]>,
    record: (trx: Transaction, destinationId: string) => Promise<readonly string[] | null>,
  ): Promise<number> {
    let events = 0;
    for (let after: string | undefined = ''; after !== undefined && !stopped.aborted;) {
      const ids = await page(after);
      for (const id of ids) {
        if (stopped.aborted) break;
        events += await this.tryOne(id, record);
        progressed();
      }
      after = ids.length < PAGE_SIZE ? undefined : ids.at(-1);
    }
    return events;
  }

  /** Records the event of one destination. An error does not hold up the others: the next turn tries again. */
  private async tryOne(
    destinationId: string,
    record: (trx: Transaction, destinationId: string) => Promise<readonly string[] | null>,
  ): Promise<number> {
    try {
      const receivers = await this.db.transaction().execute((trx) => record(trx, destinationId));
      this.dispatcher.notify(receivers ?? []);
      return receivers === null ? 0 : 1;
    } catch (error) {
      const fields = { destination_id: destinationId };
      this.errors.warn(error, 'the health of a destination was not reported; the next turn tries again', fields);
      return 0;
    }
  }

  private async status(trx: Transaction, destinationId: string): Promise<readonly string[] | null> {
    const report = await this.store.takeStatus(trx, destinationId);
    if (!report) return null;
    const { status, since, previous, errorCode, paused } = report;
    const change = { status, since: since.toISOString(), previous_status: previous, error_code: errorCode, paused };
    return this.record(trx, report, { type: statusChangedEvent.type, destinationId, object: change });
  }

  private async rejections(trx: Transaction, destinationId: string): Promise<readonly string[] | null> {
    const report = await this.store.takeRejections(trx, destinationId);
    if (!report) return null;
    const object = {
      count: report.count,
      first_sequence: report.firstSequence,
      last_sequence: report.lastSequence,
      first_at: report.firstAt.toISOString(),
      last_at: report.lastAt.toISOString(),
      error_code: report.errorCode,
    };
    return this.record(trx, report, { type: deliveryRejectedEvent.type, destinationId, object });
  }

  private record(
    trx: Transaction,
    { accountId, description, metadata }: ReportedDestination,
    { type, destinationId, object }: HealthReport,
  ): Promise<readonly string[]> {
    // No URI of the event needs the base.
    const context = systemContext(accountId, 'health', '');
    const whole = { id: destinationId, description, metadata, ...object };
    return this.recorder.recordHealth(trx, context, { type, destinationId, object: whole });
  }
}
