import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { deliveryRejectedEvent, statusChangedEvent } from '../../events/catalogue/health-events.js';
import { systemContext } from '../../events/envelope/system-context.js';
import { EventRecorder, type Report } from '../../events/fan-out/event-recorder.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { Walk, type StepEnd } from '../../maintenance/walk.js';
import type { HealthStore, ReportedDestination } from './health-store.js';

/** Destinations of one query. */
const PAGE_SIZE = 100;

/** Rejections without a reader that one statement removes. */
const UNREAD_PAGE = 5_000;

/** Records the events about the health of destinations (docs/decisions/destinations.md). */
export class HealthReports implements MaintenanceTask {
  readonly name = 'health_reports';
  readonly intervalMs = 15_000;
  private readonly changes: Walk;
  private readonly rejections: Walk;

  constructor(
    db: Database,
    private readonly store: HealthStore,
    private readonly dispatcher: Pick<Dispatcher, 'notify'>,
    logger: Logger,
    private readonly recorder: EventRecorder = new EventRecorder(),
  ) {
    const message = 'the health of a destination was not reported; the next turn tries again';
    const parts = { db, logger, failure: { message, field: 'destination_id' } };
    this.changes = new Walk({ ...parts, step: (trx, id) => this.reportStatus(trx, id) });
    this.rejections = new Walk({ ...parts, step: (trx, id) => this.reportRejections(trx, id) });
  }

  /** Records all that is due, and returns the number of events. Ends early, without an error, when `stopped` aborts. */
  async run(control: TurnControl): Promise<number> {
    const changes = await walkPages(this.changes, control, (after) => this.store.changed(after, PAGE_SIZE));
    while (!control.stopped.aborted && (await this.store.dropUnread(UNREAD_PAGE)) === UNREAD_PAGE) control.progressed();
    const rejections = await walkPages(this.rejections, control, (after) =>
      this.store.withRejections(after, PAGE_SIZE),
    );
    await this.store.prune();
    return changes + rejections;
  }

  private async reportStatus(trx: Transaction, destinationId: string): Promise<StepEnd> {
    const report = await this.store.takeStatus(trx, destinationId);
    if (!report) return null;
    const { status, since, previous, errorCode, paused, muted } = report;
    const times = { since: since.toISOString(), previous_status: previous };
    const change = { status, ...times, error_code: errorCode, paused, muted };
    return this.record(trx, report, { type: statusChangedEvent.type, resourceId: destinationId, object: change });
  }

  private async reportRejections(trx: Transaction, destinationId: string): Promise<StepEnd> {
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
    return this.record(trx, report, { type: deliveryRejectedEvent.type, resourceId: destinationId, object });
  }

  private async record(
    trx: Transaction,
    { accountId, description, metadata }: ReportedDestination,
    { type, resourceId, object }: Report,
  ): Promise<StepEnd> {
    // No URI of the event needs the base.
    const context = systemContext(accountId, 'health', '');
    const whole = { id: resourceId, description, metadata, ...object };
    const receivers = await this.recorder.recordReport(trx, context, { type, resourceId, object: whole });
    return () => this.dispatcher.notify(receivers);
  }
}

/** Makes a step of each destination of these pages. Returns how many advanced. */
async function walkPages(
  walk: Walk,
  control: TurnControl,
  page: (after: string) => Promise<readonly string[]>,
): Promise<number> {
  let advanced = 0;
  for (let after: string | undefined = ''; after !== undefined && !control.stopped.aborted;) {
    const ids = await page(after);
    advanced += await walk.round(ids, control);
    after = ids.length < PAGE_SIZE ? undefined : ids.at(-1);
  }
  return advanced;
}
