import type { EventDestinationStatus } from '@waybill/client';
import { useState, type FormEvent } from 'react';
import { Button } from '../../components/button.js';
import { usePreferences } from '../../preferences/preferences.js';
import { fromInputTime, toInputTime } from '../../time/input-time.js';
import { FileDrop } from './file-drop.js';
import type { ComparisonInput } from './messages.js';
import styles from './reconcile.module.css';

/** Properties of `Setup`. */
export interface SetupProps {
  /** Null before they are known. */
  readonly statuses: readonly EventDestinationStatus[] | null;
  /** Id of the chosen destination. */
  readonly destination: string | undefined;
  readonly onDestination: (id: string | undefined) => void;
  readonly isBusy: boolean;
  readonly onCompare: (input: ComparisonInput) => void;
}

/** What is compared: the destination, the files of its export, and what the export holds. */
export function Setup({ statuses, destination = '', onDestination, isBusy, onCompare }: SetupProps) {
  const { zone } = usePreferences();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [from, setFrom] = useState('1');
  const [exportTime, setExportTime] = useState('');
  const newest = files.length === 0 ? undefined : new Date(Math.max(...files.map((file) => file.lastModified)));
  const exportedAt = fromInputTime(exportTime, zone) ?? newest?.toISOString();
  const missing = missingOf({ destination, files, from });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy || missing !== null || exportedAt === undefined) return;
    onCompare({ destination, files, from: Number(from), exportedAt });
  }

  return (
    <form className={styles.setup} onSubmit={submit}>
      <label className={styles.field}>
        Destination
        <select value={destination} onChange={({ target }) => onDestination(target.value || undefined)}>
          <option value="">{statuses === null ? 'Reading the destinations' : 'Choose a destination'}</option>
          {statuses?.map(({ id, description }) => (
            <option key={id} value={id}>
              {description === null ? id : `${description} (${id})`}
            </option>
          ))}
        </select>
      </label>
      <FileDrop files={files} onChange={setFiles} />
      <div className={styles.line}>
        <label className={styles.field}>
          First number that the export should hold
          <input type="number" min={1} step={1} value={from} onChange={({ target }) => setFrom(target.value)} />
        </label>
        <label className={styles.field}>
          Time of the export ({zone === 'utc' ? 'UTC' : 'local time'})
          <input
            type="datetime-local"
            step={1}
            value={exportTime === '' ? toInputTime(newest?.toISOString(), zone) : exportTime}
            onChange={({ target }) => setExportTime(target.value)}
          />
        </label>
      </div>
      <p className={styles.soft}>
        What the target took after that time is not expected in the export. It is when the newest file was changed,
        unless you choose another time.
      </p>
      <div className={styles.line}>
        <Button type="submit" look="main" isDisabled={missing !== null} isBusy={isBusy}>
          Compare
        </Button>
        {missing !== null && <p className={styles.soft}>{missing}</p>}
      </div>
    </form>
  );
}

/** Returns what is missing for a comparison; null when nothing is. */
function missingOf({ destination, files, from }: { destination: string; files: readonly File[]; from: string }) {
  if (destination === '') return 'Choose the destination that the export is of.';
  if (files.length === 0) return 'Drop or choose the export.';
  return Number.isSafeInteger(Number(from)) && Number(from) >= 1 ? null : 'The first number is a whole number from 1.';
}
