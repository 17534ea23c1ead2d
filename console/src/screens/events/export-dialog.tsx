import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CreateExport } from '@waybill/client';
import { useState, type FormEvent } from 'react';
import type { EventFilter } from '../../api/event-filter.js';
import { EXPORTS_KEY } from '../../api/exports.js';
import { request } from '../../api/request.js';
import { useStatuses } from '../../app/status-feed-context.js';
import { Button } from '../../components/button.js';
import { ExportRun } from '../../components/export-run.js';
import { FilterWords } from '../../components/filter-words.js';
import { ModalDialog } from '../../components/modal-dialog.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import styles from './export-dialog.module.css';

/** Properties of `ExportDialog`. */
export interface ExportDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The events that are exported. */
  readonly filter: EventFilter;
}

/** Exports the events of a search to a file, and shows how far it is. Closing it does not end the export. */
export function ExportDialog({ isOpen, onClose, filter }: ExportDialogProps) {
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title="Export events to a file">
      <ExportForm filter={filter} onClose={onClose} />
    </ModalDialog>
  );
}

function ExportForm({ filter, onClose }: Omit<ExportDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const [format, setFormat] = useState<CreateExport['format']>('ndjson');
  const [destination, setDestination] = useState('');
  const { data, mutate, isPending, error } = useMutation({
    mutationFn: () =>
      request('POST', '/exports', {
        body: { format, filter: { ...filter }, ...(destination !== '' && { destination_id: destination }) },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: [EXPORTS_KEY, 'list'] }),
  });

  if (data) {
    return (
      <>
        <ExportRun id={data.id} />
        <p className={styles.soft}>
          Closing this dialog does not end the export. <Link to="/exports">All exports</Link>
        </p>
        <div className={styles.buttons}>
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
      className={styles.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!isPending) mutate();
      }}
    >
      <div>
        <h3 className={styles.heading}>Events</h3>
        <FilterWords filter={filter} />
      </div>
      <fieldset className={styles.formats}>
        <legend>Format</legend>
        <label>
          <input type="radio" name="format" checked={format === 'ndjson'} onChange={() => setFormat('ndjson')} />{' '}
          NDJSON: one event a line, byte for byte as it is stored
        </label>
        <label>
          <input type="radio" name="format" checked={format === 'csv'} onChange={() => setFormat('csv')} /> CSV: a table
          for spreadsheets
        </label>
      </fieldset>
      <DestinationChoice value={destination} onChange={setDestination} />
      {error && <ProblemPanel error={error} />}
      <div className={styles.buttons}>
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" look="main" isBusy={isPending}>
          Export
        </Button>
      </div>
    </form>
  );
}

interface DestinationChoiceProps {
  /** Id of a destination; empty for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function DestinationChoice({ value, onChange }: DestinationChoiceProps) {
  const { statuses } = useStatuses();
  return (
    <label className={styles.destination}>
      Deliveries
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Not in the file</option>
        {statuses?.map(({ id, description }) => (
          <option key={id} value={id}>
            {description === null ? id : `${description} (${id})`}
          </option>
        ))}
      </select>
      <span className={styles.soft}>
        With a destination, the file has the events with a delivery to it, each with its number and its state there.
      </span>
    </label>
  );
}
