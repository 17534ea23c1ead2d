import { unobserved, type DeliveryObserver, type UnevaluatedReason } from '../../delivery/delivery-observer.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';

/** A filter that could not be evaluated for an event. */
export interface UnevaluatedFilter {
  readonly reason: UnevaluatedReason;
  readonly eventId: string;
  readonly eventType: string;
  /** Fields of the log line that name the filter. */
  readonly of: Readonly<{ subscription: string } | { backfill: string }>;
}

/** Reports a filter. Must neither throw nor wait. */
export type ReportUnevaluated = (filter: UnevaluatedFilter) => void;

/** Reports nothing. */
export const ignoreUnevaluated: ReportUnevaluated = () => undefined;

/**
 * Reports the filters that could not be evaluated for an event, which matches then: in the metrics, and in the log. The
 * log has no message of the evaluation: it may have values of the event. The preview of a subscription shows it.
 */
export class UnevaluatedFilters {
  private readonly log: ThrottledLog;

  constructor(
    logger: Logger,
    private readonly observer: Pick<DeliveryObserver, 'unevaluated'> = unobserved,
  ) {
    this.log = new ThrottledLog(logger);
  }

  /** The event is sent. */
  readonly sent: ReportUnevaluated = ({ reason, eventId, eventType, of }) => {
    this.observer.unevaluated('sent', reason);
    const fields = { reason, event: eventId, event_type: eventType, ...of };
    this.log.warn(null, 'a filter could not be evaluated for an event, which is sent', fields);
  };

  /** The event is taken into a backfill. */
  readonly backfilled: ReportUnevaluated = ({ reason, eventId, eventType, of }) => {
    this.observer.unevaluated('backfilled', reason);
    const fields = { reason, event: eventId, event_type: eventType, ...of };
    this.log.warn(null, 'a filter could not be evaluated for an event, which is backfilled', fields);
  };
}
