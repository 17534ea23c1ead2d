import { Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useMay } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import { useIsDeleted } from '../../components/deleted-destination.js';
import { DeliveryFacts } from '../../components/delivery-facts.js';
import { ModalDialog } from '../../components/modal-dialog.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
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
  const { destination_id: id, backfill_id: backfill } = delivery;
  const mayOperate = useMay('operate');
  const serviceOf = useServiceOf();
  const isDeleted = useIsDeleted(id, isListed && status === undefined);
  return (
    <ModalDialog title={name} onClose={onClose}>
      <p className={ui.note}>
        {status && `${serviceOf(status.target_kind)} · `}
        {isDeleted && 'deleted destination · '}
        {isDeleted ? (
          <code>{id}</code>
        ) : (
          <Link to="/destinations/$id" params={{ id }} search={{}}>
            <code>{id}</code>
          </Link>
        )}
      </p>
      <p>
        {outcomeText(delivery)}
        {backfill !== null && (
          <>
            {' · sent by the backfill '}
            <code>{backfill}</code>
          </>
        )}
      </p>
      <DeliveryFacts delivery={delivery} status={status} withEvent={false} mayOperate={mayOperate} />
      <div className={`${ui.line} ${ui.end}`}>
        <Button onPress={onClose}>Close</Button>
      </div>
    </ModalDialog>
  );
}
