import { useQueryClient } from '@tanstack/react-query';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useState } from 'react';
import { useMay } from '../../app/session-context.js';
import { AttemptList } from '../../components/attempt-list.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { StateBadge } from '../../components/state-badge.js';
import { Time } from '../../components/time.js';
import { redeliverEvents } from './delivery-count.js';
import { destinationChanged } from './destination-changed.js';
import { EventLink } from './event-link.js';
import { NextTry } from './next-try.js';
import styles from './destination.module.css';

/** Properties of `DeliveryFacts`. */
export interface DeliveryFactsProps {
  readonly delivery: Delivery;
  readonly status: EventDestinationStatus | undefined;
}

/** One delivery: its event, its attempts with what the vendor responded, and when the next try is made. */
export function DeliveryFacts({ delivery, status }: DeliveryFactsProps) {
  const { state, error, sequence, epoch, backfill_id: backfill } = delivery;
  const waits = state === 'pending' || state === 'in_flight';
  return (
    <>
      <p className={styles.line}>
        <StateBadge state={state} />
        {waits && status && <NextTry status={status} />}
        {waits && status?.status === 'paused' && <span>The destination is paused: no try is planned.</span>}
        {sequence === null ? (
          <span className={styles.soft}>It gets its number when it is taken into a batch.</span>
        ) : (
          <span>
            Number {sequence.toLocaleString('en')}
            {epoch !== null && epoch > 1 && `, epoch ${epoch}`}
          </span>
        )}
      </p>
      <dl className={`${styles.facts} ${styles.long}`}>
        <div>
          <dt>Event</dt>
          <dd>
            <EventLink id={delivery.event_id} />
          </dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd>{delivery.event_type}</dd>
        </div>
        <div>
          <dt>{backfill === null ? 'Recorded' : 'Queued by a backfill'}</dt>
          <dd>
            <Time at={delivery.created_at} show="both" />
          </dd>
        </div>
        {delivery.redelivered_at !== null && (
          <div>
            <dt>Redelivery requested</dt>
            <dd>
              <Time at={delivery.redelivered_at} show="both" />
            </dd>
          </div>
        )}
        {delivery.finished_at !== null && (
          <div>
            <dt>Ended</dt>
            <dd>
              <Time at={delivery.finished_at} show="both" />
            </dd>
          </div>
        )}
      </dl>
      {error && (
        <p>
          <span className={styles.strong}>{error.message}</span> <code className={styles.small}>{error.code}</code>
        </p>
      )}
      <AttemptList attempts={delivery.attempts} total={delivery.attempt_count} />
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
    <p className={styles.line}>
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
        <p>The event keeps its number and goes before the events that wait.</p>
      </ConfirmDialog>
    </p>
  );
}
