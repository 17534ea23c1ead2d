import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CreateExport } from '@waybill/client';
import { useState, type FormEvent } from 'react';
import { destinationOptions } from '../../api/destination-options.js';
import type { EventFilter } from '../../api/event-filter.js';
import { EXPORTS_KEY } from '../../api/exports.js';
import { request } from '../../api/request.js';
import { useStatuses } from '../../app/status-stream-context.js';
import { Button } from '../../components/button.js';
import { ExportRun } from '../../components/export-run.js';
import { FilterWords } from '../../components/filter-words.js';
import { RadioField, SelectField } from '../../components/form-field.js';
import { useIdempotencyKey } from '../../components/idempotency-key.js';
import { ModalDialog } from '../../components/modal-dialog.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import ui from '../../components/ui.module.css';

const formats: readonly (readonly [CreateExport['format'], string])[] = [
  ['ndjson', 'NDJSON: one event a line, byte for byte as it is stored'],
  ['csv', 'CSV: a table for spreadsheets'],
];

interface ExportDialogProps {
  readonly onClose: () => void;
  /** The events that are exported. */
  readonly filter: EventFilter;
}

/** Exports the events of a search to a file, and shows how far it is. Closing it does not end the export. */
export function ExportDialog({ onClose, filter }: ExportDialogProps) {
  return (
    <ModalDialog onClose={onClose} title="Export events to a file">
      <ExportForm filter={filter} onClose={onClose} />
    </ModalDialog>
  );
}

function ExportForm({ filter, onClose }: ExportDialogProps) {
  const client = useQueryClient();
  const { statuses } = useStatuses();
  const serviceOf = useServiceOf();
  const [format, setFormat] = useState<CreateExport['format']>('ndjson');
  const [destination, setDestination] = useState('');
  const keyOf = useIdempotencyKey();
  const { data, mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const body = { format, filter: { ...filter }, ...(destination !== '' && { destination_id: destination }) };
      return request('POST', '/exports', { body, idempotencyKey: keyOf(body) });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [EXPORTS_KEY, 'list'] }),
  });

  if (data) {
    return (
      <>
        <ExportRun id={data.id} />
        <p className={ui.note}>
          Closing this dialog does not end the export. <Link to="/exports">All exports</Link>
        </p>
        <div className={`${ui.line} ${ui.end}`}>
          {/* The button that had the focus is gone. */}
          <Button autoFocus onPress={onClose}>
            Close
          </Button>
        </div>
      </>
    );
  }
  return (
    <form
      className={ui.parts}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!isPending) mutate();
      }}
    >
      <div>
        <h3>Events</h3>
        <FilterWords filter={filter} />
      </div>
      <RadioField label="Format" options={formats} value={format} onChange={setFormat} />
      <SelectField
        label="Deliveries"
        hint="With a destination, the file has the events with a delivery to it, each with its sequence and its state there."
        options={[['', 'Not in the file'], ...destinationOptions(statuses ?? [], serviceOf)]}
        value={destination}
        onChange={setDestination}
      />
      {error && <ProblemPanel error={error} />}
      <div className={`${ui.line} ${ui.end}`}>
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" look="main" isBusy={isPending}>
          Export
        </Button>
      </div>
    </form>
  );
}
