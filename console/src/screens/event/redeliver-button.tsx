import { useQueryClient } from '@tanstack/react-query';
import type { Delivery } from '@waybill/client';
import { useState } from 'react';
import { eventDeliveriesQuery } from '../../api/deliveries.js';
import { request } from '../../api/request.js';
import { useMay } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';

/** Properties of `RedeliverButton`. */
export interface RedeliverButtonProps {
  readonly delivery: Delivery;
  /** Name of the destination. */
  readonly name: string;
}

/** Sends an event that was rejected or expired to the destination again. Nothing for other deliveries. */
export function RedeliverButton({ delivery, name }: RedeliverButtonProps) {
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
