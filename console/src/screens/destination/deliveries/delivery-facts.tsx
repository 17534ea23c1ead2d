import { useQueryClient } from '@tanstack/react-query';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useState } from 'react';
import { redeliverEvents } from '../../../api/deliveries.js';
import { destinationChanged } from '../../../api/destination.js';
import { useMay } from '../../../app/session-context.js';
import { AttemptList } from '../../../components/attempt-list.js';
import { Button } from '../../../components/button.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import { Fact, Facts } from '../../../components/facts.js';
import { SentEvent } from '../../../components/sent-event.js';
import { StateBadge } from '../../../components/state-badge.js';
import { Time } from '../../../components/time.js';
import { EventLink } from './event-link.js';
import { NextTry } from './next-try.js';
import ui from '../../../components/ui.module.css';

interface DeliveryFactsProps {
  readonly delivery: Delivery;
  readonly status: EventDestinationStatus | undefined;
}

/** One delivery: its event, its attempts with what the vendor responded, and when the next try is made. */
export function DeliveryFacts({ delivery, status }: DeliveryFactsProps) {
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
        <Fact name="Event">
          <EventLink id={delivery.event_id} />
        </Fact>
        <Fact name="Type">{delivery.event_type}</Fact>
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
      <AttemptList attempts={delivery.attempts} total={delivery.attempt_count} />
      <SentEvent delivery={delivery} />
      {!waits && state !== 'cancelled' && <Redeliver delivery={delivery} />}
    </>
  );
}

function Redeliver({ delivery }: { readonly delivery: Delivery }) {
  const mayOperate = useMay('operate');
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  if (!mayOperate) return null;
  const redeliver = async (): Promise<void> => {
    const count = await redeliverEvents(delivery.destination_id, [delivery.event_id]);
    await destinationChanged(client, delivery.destination_id);
    setDone(count);
  };
  return (
    <p className={ui.line}>
      <Button icon="retrying" isDisabled={done !== null} onPress={() => setOpen(true)}>
        Redeliver this event
      </Button>
      <span role="status">
        {done !== null && (done === 0 ? 'The event was waiting already.' : 'The event waits again.')}
      </span>
      <ConfirmDialog
        isOpen={isOpen}
        title="Redeliver this event"
        confirmLabel="Redeliver"
        count={{ value: 1, noun: 'delivery' }}
        onConfirm={redeliver}
        onClose={() => setOpen(false)}
      >
        <p>The event keeps its sequence and goes before the events that wait.</p>
      </ConfirmDialog>
    </p>
  );
}
