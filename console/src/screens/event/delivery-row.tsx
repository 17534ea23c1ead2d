import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useState } from 'react';
import { eventDeliveriesQuery, isOpen } from '../../api/deliveries.js';
import { request } from '../../api/request.js';
import { nameOrId } from '../../api/resource-label.js';
import { useMay } from '../../app/session-context.js';
import { AttemptList } from '../../components/attempt-list.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { StateBadge } from '../../components/state-badge.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import { Countdown, Time } from '../../components/time.js';
import { TimelineBar } from './timeline-bar.js';
import { outcomeText, type Span } from './timeline.js';
import ui from '../../components/ui.module.css';

interface DeliveryRowProps {
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
  const serviceOf = useServiceOf();
  const next = isOpen(delivery) ? status?.next_attempt_at : null;
  return (
    <li className={`${ui.card} ${ui.stack}`}>
      <div className={`${ui.line} ${ui.between}`}>
        <div>
          <h3>
            {status ? (
              <Link to="/destinations/$id" params={{ id }} search={{}}>
                {name}
              </Link>
            ) : (
              name
            )}
          </h3>
          <p className={ui.note}>
            {status && `${serviceOf(status.target_kind)} · `}
            {!status && isListed && 'deleted destination · '}
            {name !== id && <code>{id}</code>}
          </p>
        </div>
        <div className={ui.line}>
          <StateBadge state={state} />
          {sequence !== null && (
            <span className={ui.note}>
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
        <p className={ui.bad}>
          {error.message} <code>{error.code}</code>
        </p>
      )}
      <Attempts delivery={delivery} />
      {status && <RedeliverButton delivery={delivery} name={name} />}
    </li>
  );
}

/** Attempts of a delivery, with the waits before them. They are folded once it was delivered. */
function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { attempts, attempt_count: count, state, created_at: since } = delivery;
  if (count === 0) return null;
  return (
    <details open={state !== 'delivered'}>
      <summary>
        {count.toLocaleString('en')} {count === 1 ? 'attempt' : 'attempts'}
      </summary>
      <AttemptList attempts={attempts} total={count} since={since} />
    </details>
  );
}

interface RedeliverButtonProps {
  readonly delivery: Delivery;
  /** Name of the destination. */
  readonly name: string;
}

/** Sends an event that was rejected or expired to the destination again. Nothing for other deliveries. */
function RedeliverButton({ delivery, name }: RedeliverButtonProps) {
  const mayOperate = useMay('operate');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { destination_id: id, event_id: eventId, state, sequence } = delivery;
  if (!mayOperate || (state !== 'rejected' && state !== 'expired')) return null;
  return (
    <div>
      <Button icon="retrying" aria-label={`Redeliver to ${name}`} onPress={() => setAsking(true)}>
        Redeliver
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Redeliver the event"
        confirmLabel="Redeliver"
        onConfirm={async () => {
          const body = { event_ids: [eventId] };
          await request('POST', '/event_destinations/{id}/redeliveries', { path: { id }, body });
          await client.invalidateQueries({ queryKey: eventDeliveriesQuery(eventId).queryKey });
        }}
      >
        <p>
          The event is sent to {name} again, before the events that wait.{' '}
          {sequence !== null && <>It keeps the number {sequence.toLocaleString('en')}.</>}
        </p>
      </ConfirmDialog>
    </div>
  );
}
