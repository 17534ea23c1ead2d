import { useQueryClient } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import { request } from '../../api/request.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { destinationChanged } from './destination-changed.js';
import type { ActionDialogProps } from './pause-dialog.js';

/** Properties of `ResumeDialog`. */
export interface ResumeDialogProps extends ActionDialogProps {
  readonly name: string;
  readonly status: EventDestinationStatus | undefined;
}

/** Says how many events wait, and ends the pause. */
export function ResumeDialog({ id, name, status, onClose, onDone }: ResumeDialogProps) {
  const client = useQueryClient();
  const resume = async (): Promise<void> => {
    await request('PATCH', '/event_destinations/{id}', { path: { id }, body: { paused: null } });
    await destinationChanged(client, id);
    onDone('The destination is resumed.');
  };
  return (
    <ConfirmDialog
      isOpen
      title={`Resume ${name}`}
      confirmLabel="Resume the destination"
      onConfirm={resume}
      onClose={onClose}
      {...(status && {
        count: { value: status.pending, atLeast: status.pending_is_lower_bound, noun: 'events wait' },
      })}
    >
      <p>They are sent in order, at once.</p>
      {status?.paused && <p>It was paused with the reason: {status.paused.reason}</p>}
    </ConfirmDialog>
  );
}
