import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MOST_FOLLOWED } from '../../api/live-statuses.js';
import { RECOVERY_KEY } from '../../api/recoveries.js';
import { request } from '../../api/request.js';
import { undeliveredCountsQuery, undeliveredStates, type UndeliveredState } from '../../api/undelivered.js';
import { usePreferences } from '../../preferences/preferences.js';
import { fromInputTime, toInputTime } from '../../time/input-time.js';
import { zoneName } from '../../time/zone-name.js';
import { BigNumber, countText } from '../count.js';
import { FormDialog } from '../form-dialog.js';
import { RadioField, TextField } from '../form-field.js';
import { ProblemPanel } from '../problem-panel.js';

const DAY_MS = 86_400_000;

/** Most destinations that a recovery names. */
const MOST_DESTINATIONS = 1_000;

interface RecoveryDialogProps {
  /** Undefined: every destination. */
  readonly ids: readonly string[] | undefined;
  /** The destinations that exist: a recovery passes over deleted ones. Null before they are known. */
  readonly existing: readonly { readonly id: string }[] | null;
  readonly onClose: () => void;
}

/** Counts what several destinations did not receive since a time, and redelivers it in the background. */
export function RecoveryDialog({ ids: given, existing, onClose }: RecoveryDialogProps) {
  // The selection may end while the dialog is open: undefined is every destination.
  const [ids] = useState(given);
  const client = useQueryClient();
  const { zone } = usePreferences();
  const [fromField, setFrom] = useState(() => toInputTime(new Date(Date.now() - DAY_MS).toISOString(), zone));
  const [state, setState] = useState<UndeliveredState | 'both'>('both');
  const states: readonly UndeliveredState[] = state === 'both' ? undeliveredStates : [state];
  const from = fromInputTime(fromField, zone);
  const { data, error, isFetching } = useQuery({
    ...undeliveredCountsQuery(from),
    enabled: from !== undefined,
    staleTime: 0,
    refetchInterval: false,
  });
  // With as many as the stream follows, there may be more.
  const known = existing && existing.length < MOST_FOLLOWED ? new Set(existing.map(({ id }) => id)) : null;
  const counted = [...(data?.byId.values() ?? [])].filter(
    ({ id }) => (ids?.includes(id) ?? true) && (known?.has(id) ?? true),
  );
  const count = {
    value: counted.flatMap((one) => states.map((each) => one[each])).reduce((sum, number) => sum + number, 0),
    atLeast: counted.some(({ is_lower_bound: more }) => more),
  };
  const isCounted = data !== undefined && !isFetching && error === null && from !== undefined;
  const nothing = isCounted && count.value === 0 && !count.atLeast ? 'There is nothing to redeliver.' : null;
  const tooMany =
    (ids?.length ?? 0) > MOST_DESTINATIONS
      ? `At most ${MOST_DESTINATIONS.toLocaleString('en')} destinations at a time.`
      : null;
  const redeliver = async (): Promise<void> => {
    const chosen = ids === undefined ? {} : { destination_ids: [...ids] };
    const body = { from: from ?? '', states: [...states], ...chosen };
    client.setQueryData(RECOVERY_KEY, await request('POST', '/event_destinations/recoveries', { body }));
  };
  return (
    <FormDialog
      title={`Redeliver to ${ids === undefined ? 'all destinations' : `${ids.length.toLocaleString('en')} selected`}`}
      submitLabel={isCounted ? `Redeliver ${countText(count)}` : 'Redeliver'}
      missing={
        tooMany ??
        (from === undefined ? 'Fill in “Events from”.' : isCounted ? nothing : 'The deliveries are not counted yet.')
      }
      result={
        <>
          <p role="status">
            {isCounted ? (
              <>
                <BigNumber {...count} /> {count.value === 1 && !count.atLeast ? 'event' : 'events'}
              </>
            ) : (
              isFetching && 'Counting'
            )}
          </p>
          {error && <ProblemPanel error={error} title="The deliveries could not be counted" />}
        </>
      }
      onSubmit={redeliver}
      onClose={onClose}
    >
      <p>
        Each event keeps its sequence and goes before the events that wait. It gets a new deadline. The redelivery
        continues when this page is closed, and everyone in the account sees its progress.
      </p>
      <RadioField
        label="Deliveries"
        options={[
          ['both', 'Rejected and expired'],
          ['rejected', 'Rejected'],
          ['expired', 'Expired'],
        ]}
        value={state}
        onChange={setState}
      />
      <TextField
        label="Events from"
        type="datetime-local"
        hint={`${zoneName(zone)}.`}
        value={fromField}
        onChange={setFrom}
      />
    </FormDialog>
  );
}
