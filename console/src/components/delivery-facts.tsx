import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useState } from 'react';
import { eventDeliveriesQuery, redeliverEvents } from '../api/deliveries.js';
import { destinationChanged } from '../api/destination.js';
import { AttemptList } from './attempt-list.js';
import { Button } from './button.js';
import { Fact, Facts } from './facts.js';
import { FormDialog } from './form-dialog.js';
import { NextTry } from './next-try.js';
import { SentEvent } from './sent-event.js';
import { StateBadge } from './state-badge.js';
import { Time } from './time.js';
import ui from './ui.module.css';

interface DeliveryFactsProps {
  readonly delivery: Delivery;
  /** Of its destination; undefined while it is not known, and for a destination that was deleted. */
  readonly status: EventDestinationStatus | undefined;
  /** Whether the page is not that of its event. */
  readonly withEvent: boolean;
  readonly mayOperate: boolean;
}

/** One delivery: its event, its attempts with what the vendor responded, and when the next attempt is made. */
export function DeliveryFacts({ delivery, status, withEvent, mayOperate }: DeliveryFactsProps) {
  const { state, error, sequence, epoch, backfill_id: backfill } = delivery;
  const waits = state === 'pending' || state === 'in_flight';
  return (
    <>
      <p className={ui.line}>
        <StateBadge state={state} />
        {waits && status && <NextTry status={status} />}
        {waits && status?.status === 'paused' && <span>The destination is paused: no attempt is planned.</span>}
        {sequence === null ? (
          <span className={ui.soft}>It gets its sequence when it is taken into a batch.</span>
        ) : (
          <span>
            Sequence {sequence.toLocaleString('en')}
            {epoch !== null && epoch > 1 && `, epoch ${epoch}`}
          </span>
        )}
      </p>
      <Facts wide>
        {withEvent && (
          <Fact name="Event">
            <Link to="/events/$id" params={{ id: delivery.event_id }}>
              <code>{delivery.event_id}</code>
            </Link>
            <div>{delivery.event_type}</div>
          </Fact>
        )}
        <Fact name={backfill === null ? 'Recorded' : 'Queued by a backfill'}>
          <Time at={delivery.created_at} show="both" />
        </Fact>
        {delivery.redelivered_at !== null && (
          <Fact name="Redelivery requested">
            <Time at={delivery.redelivered_at} show="both" />
          </Fact>
        )}
        {delivery.finished_at !== null && (
          <Fact name="Ended">
            <Time at={delivery.finished_at} show="both" />
          </Fact>
        )}
      </Facts>
      {error && (
        <p>
          <span className={ui.strong}>{error.message}</span> <code className={ui.note}>{error.code}</code>
        </p>
      )}
      <AttemptList attempts={delivery.attempts} total={delivery.attempt_count} since={delivery.created_at} />
      <SentEvent delivery={delivery} />
      {mayOperate && status && !waits && state !== 'cancelled' && <Redeliver delivery={delivery} />}
    </>
  );
}

function Redeliver({ delivery }: { readonly delivery: Delivery }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const redeliver = async (): Promise<void> => {
    const count = await redeliverEvents(delivery.destination_id, [delivery.event_id]);
    await destinationChanged(client, delivery.destination_id);
    await client.invalidateQueries({ queryKey: eventDeliveriesQuery(delivery.event_id).queryKey });
    setDone(count);
  };
  return (
    <p className={ui.line}>
      <Button icon="retrying" isDisabled={done !== null} onPress={() => setOpen(true)}>
        Redeliver this event
      </Button>
      <span role="status">
        {done !== null && (done === 0 ? 'The event was queued already.' : 'The event was queued again.')}
      </span>
      {isOpen && (
        <FormDialog
          isQuestion
          title="Redeliver this event"
          submitLabel="Redeliver"
          onSubmit={redeliver}
          onClose={() => setOpen(false)}
        >
          <p>The event keeps its sequence and goes before the events that wait.</p>
        </FormDialog>
      )}
    </p>
  );
}
