import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-field.js';
import { destinationChanged } from './destination-changed.js';

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
