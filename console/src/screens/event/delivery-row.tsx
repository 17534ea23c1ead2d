import { Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { isOpen } from '../../api/deliveries.js';
import { nameOrId } from '../../api/name-or-id.js';
import { serviceOf } from '../../api/target-kind.js';
import { StateBadge } from '../../components/state-badge.js';
import { Countdown, Time } from '../../components/time.js';
import { Attempts } from './attempts.js';
import { RedeliverButton } from './redeliver-button.js';
import { TimelineBar } from './timeline-bar.js';
import { outcomeText, type Span } from './timeline.js';
import styles from './deliveries.module.css';

/** Properties of `DeliveryRow`. */
export interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly spans: readonly Span[];
  /** Begin and end of the scale of all rows. */
  readonly extent: readonly [number, number] | null;
  /** Undefined while it is not known, and for a destination that was deleted. */
  readonly status: EventDestinationStatus | undefined;
  /** Whether the statuses of all destinations are known. */
  readonly isListed: boolean;
}

/** The delivery of the event to one destination: its outcome, a bar of its time, and its attempts. */
export function DeliveryRow({ delivery, spans, extent, status, isListed }: DeliveryRowProps) {
  const { destination_id: id, state, sequence, epoch, error, backfill_id: backfill } = delivery;
  const name = nameOrId(status?.description, id);
  const next = isOpen(delivery) ? status?.next_attempt_at : null;
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div>
          <h3 className={styles.name}>
            {status ? (
              <Link to="/destinations/$id" params={{ id }} search={{}}>
                {name}
              </Link>
            ) : (
              name
            )}
          </h3>
          <p className={styles.soft}>
            {status && `${serviceOf(status.target_kind)} · `}
            {!status && isListed && 'deleted destination · '}
            {name !== id && <code>{id}</code>}
          </p>
        </div>
        <div className={styles.state}>
          <StateBadge state={state} />
          {sequence !== null && (
            <span className={styles.soft}>
              number {sequence.toLocaleString('en')}
              {epoch !== null && epoch > 1 && ` of epoch ${epoch}`}
            </span>
          )}
        </div>
      </div>
      <TimelineBar spans={spans} extent={extent} label={`${name}: ${outcomeText(delivery)}`} />
      <p>
        {outcomeText(delivery)}
        {next != null && (
          <>
            {' · next try '}
            <Countdown to={next} />
          </>
        )}
        {isOpen(delivery) && status && status.status !== 'healthy' && ` · the destination is ${status.status}`}
        {delivery.redelivered_at !== null && (
          <>
            {' · redelivered '}
            <Time at={delivery.redelivered_at} />
          </>
        )}
        {backfill !== null && (
          <>
            {' · sent by the backfill '}
            <code>{backfill}</code>
          </>
        )}
      </p>
      {error && (
        <p className={styles.error}>
          {error.message} <code>{error.code}</code>
        </p>
      )}
      <Attempts delivery={delivery} />
      {status && <RedeliverButton delivery={delivery} name={name} />}
    </li>
  );
}
