import type { EventDestinationStatus } from '@waybill/client';
import { useState, useSyncExternalStore, type FormEvent } from 'react';
import { destinationOptions } from '../../api/destination-options.js';
import { Button } from '../../components/button.js';
import { CheckField, SelectField, TextField } from '../../components/form-field.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import { usePreferences } from '../../preferences/preferences.js';
import { StoredValue } from '../../preferences/stored-value.js';
import { fromInputTime, toInputTime } from '../../time/input-time.js';
import { zoneName } from '../../time/zone-name.js';
import { FileDrop } from './file-drop.js';
import type { ComparisonInput } from './messages.js';
import ui from '../../components/ui.module.css';

/** The verifier keys that the auditor has pinned in this browser, for this installation. */
const pinned = new StoredValue('waybill.verifier-keys', (stored) => (typeof stored === 'string' ? stored : ''));

interface SetupProps {
  /** Null before they are known. */
  readonly statuses: readonly EventDestinationStatus[] | null;
  /** Id of the chosen destination. */
  readonly destination: string | undefined;
  readonly onDestination: (id: string | undefined) => void;
  readonly isBusy: boolean;
  /** Called before anything but the destination changes. */
  readonly onInput: () => void;
  readonly onCompare: (input: ComparisonInput) => void;
}

/** What is compared: the destination, the files from its target, and what they hold. */
export function Setup({ statuses, destination = '', onDestination, isBusy, onInput, onCompare }: SetupProps) {
  const { zone } = usePreferences();
  const serviceOf = useServiceOf();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [from, setFrom] = useState('1');
  const [exportTime, setExportTime] = useState('');
  const [content, setContent] = useState(true);
  const keys = useSyncExternalStore(pinned.subscribe, pinned.read);
  const newest = files.length === 0 ? undefined : new Date(Math.max(...files.map((file) => file.lastModified)));
  const exportedAt = fromInputTime(exportTime, zone) ?? newest?.toISOString();
  const missing = missingOf({ destination, files, from });

  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      onInput();
      set(value);
    };

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy || missing !== null || exportedAt === undefined) return;
    const vkeys = keys.split(/\s+/).filter(Boolean);
    onCompare({ destination, files, from: Number(from), exportedAt, content, vkeys });
  }

  return (
    <form className={`${ui.card} ${ui.parts}`} onSubmit={submit}>
      <SelectField
        label="Destination"
        options={[
          ['', statuses === null ? 'Reading the destinations' : 'Choose a destination'],
          ...destinationOptions(statuses ?? [], serviceOf),
        ]}
        value={destination}
        onChange={(id) => onDestination(id === '' ? undefined : id)}
      />
      <FileDrop files={files} onChange={changing(setFiles)} />
      <div className={ui.columns}>
        <TextField
          label="First sequence that the file should hold"
          type="number"
          value={from}
          onChange={changing(setFrom)}
        />
        <TextField
          label="When the target was read"
          hint={`${zoneName(zone)}.`}
          type="datetime-local"
          attributes={{ step: 1 }}
          value={exportTime === '' ? toInputTime(newest?.toISOString(), zone) : exportTime}
          onChange={changing(setExportTime)}
        />
      </div>
      <p className={ui.note}>
        What the target took after that time is not expected in the file. It is when the newest file was changed, unless
        you choose another time.
      </p>
      <CheckField
        label="Compare the content of each event too"
        hint="Waybill exports what it has delivered, as a file that it keeps as long as any export, and this browser compares it with yours."
        isOn={content}
        onChange={changing(setContent)}
      />
      <TextField
        label="Verifier key, to verify with the signed log"
        hint="As you have kept it, and not as Waybill shows it now. It stays in this browser. Empty: the log is not read."
        canPaste
        value={keys}
        onChange={changing((text: string) => pinned.write(text))}
      />
      <div className={ui.line}>
        <Button type="submit" look="main" isDisabled={missing !== null} isBusy={isBusy}>
          Compare
        </Button>
        {missing !== null && <p className={ui.note}>{missing}</p>}
      </div>
    </form>
  );
}

/** Returns what is missing for a comparison; null when nothing is. */
function missingOf({ destination, files, from }: { destination: string; files: readonly File[]; from: string }) {
  if (destination === '') return 'Choose the destination that the file is of.';
  if (files.length === 0) return 'Drop or choose the file from the target.';
  return Number.isSafeInteger(Number(from)) && Number(from) >= 1 ? null : 'The first sequence is a number from 1.';
}
