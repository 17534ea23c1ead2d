import { useQuery } from '@tanstack/react-query';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { deliveryQuery } from '../../../api/deliveries.js';
import { useMay } from '../../../app/session-context.js';
import { Button } from '../../../components/button.js';
import { DeliveryFacts } from '../../../components/delivery-facts.js';
import { ModalDialog } from '../../../components/modal-dialog.js';
import { QueryState } from '../../../components/query-state.js';
import ui from '../../../components/ui.module.css';

interface DeliveryDialogProps {
  readonly destinationId: string;
  /** As in the address: it may be the id of nothing. */
  readonly deliveryId: string;
  /** The delivery as the list has it: shown until it is read. */
  readonly known: Delivery | undefined;
  readonly status: EventDestinationStatus | undefined;
  readonly onClose: () => void;
}

/** One delivery with its attempts, whether the list on the page has it or not. */
export function DeliveryDialog({ destinationId, deliveryId, known, status, onClose }: DeliveryDialogProps) {
  const query = useQuery(deliveryQuery(destinationId, deliveryId));
  const mayOperate = useMay('operate');
  const { data } = query;
  const delivery = data === undefined ? known : data;
  return (
    <ModalDialog title={titleOf(delivery, deliveryId)} onClose={onClose}>
      {delivery === undefined && <QueryState query={query} what="delivery" />}
      {delivery && <DeliveryFacts delivery={delivery} status={status} withEvent mayOperate={mayOperate} />}
      {delivery === null && (
        <p role="status">
          This destination has no delivery with the id <code>{deliveryId}</code>. It is a delivery to another
          destination, was removed after its retention, or never existed.
        </p>
      )}
      <div className={`${ui.line} ${ui.end}`}>
        <Button onPress={onClose}>Close</Button>
      </div>
    </ModalDialog>
  );
}

function titleOf(delivery: Delivery | null | undefined, id: string): string {
  if (delivery === undefined) return `Delivery ${id}`;
  if (delivery === null) return 'No such delivery';
  const { sequence, event_type: type } = delivery;
  return sequence === null ? type : `Sequence ${sequence.toLocaleString('en')}: ${type}`;
}
