import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useState } from 'react';
import { eventDeliveriesQuery, isOpen } from '../../api/deliveries.js';
import { request } from '../../api/request.js';
import { useMay } from '../../app/session-context.js';
import { AttemptList } from '../../components/attempt-list.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { ModalDialog } from '../../components/modal-dialog.js';
import { SentEvent } from '../../components/sent-event.js';
import { StateBadge } from '../../components/state-badge.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import { Countdown, Time } from '../../components/time.js';
import { outcomeText } from './timeline.js';
import ui from '../../components/ui.module.css';

interface DeliveryDialogProps {
  readonly delivery: Delivery;
  /** Name of the destination. */
  readonly name: string;
  /** Undefined while it is not known, and for a destination that was deleted. */
  readonly status: EventDestinationStatus | undefined;
  /** Whether the statuses of all destinations are known. */
  readonly isListed: boolean;
  readonly onClose: () => void;
}

/** The delivery of the event to one destination: its outcome, and its attempts with the waits before them. */
export function DeliveryDialog({ delivery, name, status, isListed, onClose }: DeliveryDialogProps) {
  const { destination_id: id, state, sequence, epoch, error, backfill_id: backfill } = delivery;
  const serviceOf = useServiceOf();
  const next = isOpen(delivery) ? status?.next_attempt_at : null;
  return (
    <ModalDialog isOpen title={name} onClose={onClose}>
      <p className={ui.note}>
        {status && `${serviceOf(status.target_kind)} · `}
        {!status && isListed && 'deleted destination · '}
        {status ? (
          <Link to="/destinations/$id" params={{ id }} search={{}}>
            <code>{id}</code>
          </Link>
        ) : (
          <code>{id}</code>
        )}
      </p>
      <p className={ui.line}>
        <StateBadge state={state} />
        {sequence !== null && (
          <span>
            Sequence {sequence.toLocaleString('en')}
            {epoch !== null && epoch > 1 && `, epoch ${epoch}`}
          </span>
        )}
      </p>
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
      <AttemptList attempts={delivery.attempts} total={delivery.attempt_count} since={delivery.created_at} />
      <SentEvent delivery={delivery} />
      <div className={ui.line}>
        {status && <RedeliverButton delivery={delivery} name={name} />}
        <Button onPress={onClose}>Close</Button>
      </div>
    </ModalDialog>
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
    <>
      <Button icon="retrying" onPress={() => setAsking(true)}>
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
          {sequence !== null && <>It keeps the sequence {sequence.toLocaleString('en')}.</>}
        </p>
      </ConfirmDialog>
    </>
  );
}
