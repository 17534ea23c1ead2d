import { useQueryClient } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import { useState } from 'react';
import { destinationChanged } from '../../../api/destination.js';
import { request } from '../../../api/request.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import { FormDialog } from '../../../components/form-dialog.js';
import { TextField } from '../../../components/form-field.js';

/** Most characters of a reason. */
const LONGEST_REASON = 500;

/** Properties of a dialog that changes a destination. */
export interface ActionDialogProps {
  readonly id: string;
  readonly onClose: () => void;
  /** Called with what was done, in a sentence. */
  readonly onDone: (notice: string) => void;
}

/** Asks for the reason, and pauses the destination. */
export function PauseDialog({ id, name, onClose, onDone }: ActionDialogProps & { readonly name: string }) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const pause = async (): Promise<void> => {
    await request('PATCH', '/event_destinations/{id}', { path: { id }, body: { paused: { reason: reason.trim() } } });
    await destinationChanged(client, id);
    onDone('The destination is paused.');
  };
  return (
    <FormDialog
      title={`Pause ${name}`}
      submitLabel="Pause the destination"
      missing={reason.trim() === '' ? 'The reason is missing.' : null}
      onSubmit={pause}
      onClose={onClose}
    >
      <p>Its events wait in order and do not expire, until a person resumes it. A call under way ends first.</p>
      <TextField
        label="Reason"
        hint="Everyone who sees the destination sees it."
        isRequired
        maxLength={LONGEST_REASON}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

interface ResumeDialogProps extends ActionDialogProps {
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
