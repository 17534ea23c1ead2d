import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { countDeliveries, redeliveryOf, type DeliveryCount, type RedeliveryRange } from '../../../api/deliveries.js';
import { destinationChanged } from '../../../api/destination.js';
import { BigNumber, countText } from '../../../components/count.js';
import { FormDialog } from '../../../components/form-dialog.js';
import { RadioField, TextField } from '../../../components/form-field.js';
import { ProblemPanel } from '../../../components/problem-panel.js';
import { usePreferences } from '../../../preferences/preferences.js';
import { fromInputTime } from '../../../time/input-time.js';
import { zoneName } from '../../../time/zone-name.js';
import ui from '../../../components/ui.module.css';

const states: readonly (readonly [RedeliveryRange['state'], string])[] = [
  ['rejected', 'Rejected'],
  ['expired', 'Expired'],
  ['delivered', 'Delivered'],
];

/** Properties of a dialog that changes the deliveries of a destination. */
export interface ActionDialogProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  /** Called with what was done, in a sentence. */
  readonly onDone: (notice: string) => void;
}

/** Chooses finished deliveries, counts them, and makes them wait again. */
export function RedeliverDialog({ id, name, onClose, onDone }: ActionDialogProps) {
  const client = useQueryClient();
  const { zone } = usePreferences();
  const [state, setState] = useState<RedeliveryRange['state']>('rejected');
  const [fromField, setFrom] = useState('');
  const [toField, setTo] = useState('');
  const [from, to] = [fromInputTime(fromField, zone), fromInputTime(toField, zone)];
  const range = useMemo(() => ({ state, from, to }), [state, from, to]);
  // The same one while the range is the same: it continues after an error.
  const queueAgain = useMemo(() => redeliveryOf(id, range), [id, range]);
  const fault = faultOf(range);
  const { data, error, isFetching } = useQuery({
    queryKey: ['redelivery-count', id, range.state, range.from, range.to],
    queryFn: ({ signal }) => countDeliveries(id, range, signal),
    enabled: fault === null,
    // A count that was made before is no count of now.
    staleTime: 0,
    gcTime: 0,
  });
  const isCounted = data !== undefined && !isFetching && !error;
  const redeliver = async (): Promise<void> => {
    const count = await queueAgain();
    await destinationChanged(client, id);
    onDone(`${count.toLocaleString('en')} ${count === 1 ? 'event was' : 'events were'} queued again.`);
  };
  return (
    <FormDialog
      title={`Redeliver events to ${name}`}
      submitLabel={isCounted ? `Redeliver ${countText(data)}` : 'Redeliver'}
      missing={fault ?? missingOf(isCounted ? data : undefined)}
      result={
        fault === null && (
          <>
            <p role="status">
              {isCounted && (
                <>
                  <BigNumber {...data} /> {state} {data.value === 1 && !data.atLeast ? 'event' : 'events'}
                </>
              )}
              {isFetching && 'Counting'}
            </p>
            {error && <ProblemPanel error={error} title="The deliveries could not be counted" />}
          </>
        )
      }
      onSubmit={redeliver}
      onClose={onClose}
    >
      <p>Each event keeps its sequence and goes before the events that wait. It gets a new deadline.</p>
      <RadioField label="Deliveries" options={states} value={state} onChange={setState} />
      <div className={ui.columns}>
        <TextField
          label="Events from"
          type="datetime-local"
          hint={`${zoneName(zone)}. ${state === 'delivered' ? 'Needed for delivered events.' : 'Empty: all.'}`}
          value={fromField}
          onChange={setFrom}
        />
        <TextField label="Events to" type="datetime-local" hint="Empty: now." value={toField} onChange={setTo} />
      </div>
    </FormDialog>
  );
}

function faultOf({ state, from, to }: RedeliveryRange): string | null {
  if (state === 'delivered' && from === undefined) return 'Fill in “Events from”.';
  if (from !== undefined && to !== undefined && from >= to) return 'The end must be later than the start.';
  return null;
}

function missingOf(count: DeliveryCount | undefined): string | null {
  if (count === undefined) return 'The deliveries are not counted yet.';
  return count.value === 0 && !count.atLeast ? 'There is nothing to redeliver.' : null;
}
