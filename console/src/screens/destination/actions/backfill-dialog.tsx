import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Backfill, CreateBackfill } from '@waybill/client';
import { useRef, useState } from 'react';
import { backfillQuery, cancelBackfill, createBackfill, isUnderWay } from '../../../api/backfills.js';
import { destinationChanged } from '../../../api/destination.js';
import { Button } from '../../../components/button.js';
import { BigNumber } from '../../../components/count.js';
import { FormDialog } from '../../../components/form-dialog.js';
import { TextArea, TextField } from '../../../components/form-field.js';
import { ProblemPanel } from '../../../components/problem-panel.js';
import { Progress } from '../../../components/progress.js';
import { Time } from '../../../components/time.js';
import { usePreferences } from '../../../preferences/preferences.js';
import { zoneName } from '../../../time/zone-name.js';
import { backfillInputOf, faultOfBackfill, type BackfillDraft } from './backfill-input.js';
import { canBeCompared, holdsAllQuery } from './held-events.js';
import type { ActionDialogProps } from './redeliver-dialog.js';
import ui from '../../../components/ui.module.css';

/** Why a count cannot be sent yet. */
const COUNTING = 'The events are being counted.';

const noDraft: BackfillDraft = { from: '', to: '', types: '', filter: '', rate: '' };

/** A count that was made, and what was counted. */
interface Counted {
  /** The fields that were counted. */
  readonly draft: BackfillDraft;
  readonly input: CreateBackfill;
  readonly id: string;
}

/** Counts the earlier events of a destination, and sends them after that. */
export function BackfillDialog({ id, name, onClose, onDone }: ActionDialogProps) {
  const client = useQueryClient();
  const { zone } = usePreferences();
  const [draft, setDraft] = useState(noDraft);
  const [latest, setCounted] = useState<Counted | null>(null);
  // The fields as they are now; null when the dialog is closed.
  const present = useRef<BackfillDraft | null>(draft);
  // A count that arrives after the fields were changed is no count of them.
  const counted = latest?.draft === draft ? latest : null;
  const [countError, setCountError] = useState<unknown>(null);
  const [starting, setStarting] = useState(false);
  const { data: count, error } = useQuery({
    ...backfillQuery(id, counted?.id ?? ''),
    enabled: counted !== null,
  });
  const news = useNews(count);
  const problem = countError ?? error;
  const fault = faultOfBackfill(draft, zone);
  // Where it cannot be read, it may still be under way.
  const isOpen = counted !== null && (count === undefined || isUnderWay(count));
  const isCounting = isOpen && !error;
  // A destination has one unfinished backfill at a time: a count that nobody needs ends.
  const cancel = (backfillId: string): void => void cancelBackfill(id, backfillId).catch(setCountError);
  const change = (next: Partial<BackfillDraft>): void => {
    present.current = { ...draft, ...next };
    setDraft(present.current);
    setCounted(null);
    if (counted && isOpen) cancel(counted.id);
  };
  const close = (): void => {
    present.current = null;
    if (counted && isOpen) cancel(counted.id);
    onClose();
  };
  const startCount = async (): Promise<void> => {
    const input = backfillInputOf(draft, zone);
    setCountError(null);
    setStarting(true);
    try {
      const backfill = await createBackfill(id, { ...input, dry_run: true });
      if (present.current !== draft) cancel(backfill.id);
      // What is sent is what was counted: events until then.
      else setCounted({ draft, input: { ...input, to: backfill.to }, id: backfill.id });
    } catch (failure) {
      setCountError(failure);
    }
    setStarting(false);
  };
  const send = async (): Promise<void> => {
    if (counted === null) return;
    await createBackfill(id, counted.input);
    await destinationChanged(client, id);
    onDone('The backfill has begun. Its progress is under “Backfills”, at the end of the tab Overview.');
  };
  return (
    <FormDialog
      title={`Backfill earlier events to ${name}`}
      submitLabel={
        news === 'some' && count?.events_total != null
          ? `Send up to ${count.events_total.toLocaleString('en')} events`
          : 'Send'
      }
      missing={fault ?? (starting ? COUNTING : missingOf(counted, count, news))}
      result={
        problem === null ? (
          counted && <Count count={count} news={news} />
        ) : (
          <ProblemPanel error={problem} title="The events could not be counted" />
        )
      }
      onSubmit={send}
      onClose={close}
    >
      <p>
        Sends events from before the subscription, each marked as a backfill. Events that the destination has are
        skipped. New events are not delayed.
      </p>
      <div className={ui.columns}>
        <TextField
          label="Events from"
          type="datetime-local"
          hint={`${zoneName(zone)}.`}
          isRequired
          value={draft.from}
          onChange={(from) => change({ from })}
        />
        <TextField
          label="Events to"
          type="datetime-local"
          hint="Empty: now."
          value={draft.to}
          onChange={(to) => change({ to })}
        />
      </div>
      <TextArea
        label="Event types"
        hint="One per line, or separated by spaces or commas. Empty: all that subscriptions send to the destination, without snapshots."
        rows={2}
        value={draft.types}
        onChange={(types) => change({ types })}
      />
      <TextField
        label="Filter"
        hint={'A condition in CEL over the payload, such as object.action == "deny". Empty: every event.'}
        value={draft.filter}
        onChange={(filter) => change({ filter })}
      />
      <TextField
        label="Events per second"
        type="number"
        hint="Empty: the highest rate of the installation."
        value={draft.rate}
        onChange={(rate) => change({ rate })}
      />
      <div className={ui.line}>
        <Button isDisabled={fault !== null} isBusy={starting || isCounting} onPress={() => void startCount()}>
          Count the events
        </Button>
      </div>
    </FormDialog>
  );
}

/** What a count has found: events that may be new to the destination, or none. Null: not known yet. */
type News = 'some' | 'none' | null;

/** Returns whether a count has found anything to send. */
function useNews(count: Backfill | undefined): News {
  const { data: holdsAll, isFetching } = useQuery(
    count && canBeCompared(count)
      ? holdsAllQuery(count)
      : { queryKey: ['destination', 'none', 'backfills'], queryFn: skipToken },
  );
  if (count === undefined || isUnderWay(count) || isFetching) return null;
  return count.events_total === 0 || holdsAll === true ? 'none' : 'some';
}

function Count({ count, news }: { readonly count: Backfill | undefined; readonly news: News }) {
  if (count === undefined || news === null) return <Progress label="Counting the events" />;
  const total = count.events_total ?? 0;
  return (
    <p role="status">
      <BigNumber value={total} /> {total === 1 ? 'event matches' : 'events match'}.
      {news === 'some' && ' Those that the destination has are skipped, possibly all of them.'}
      {news === 'none' &&
        total > 0 &&
        ' Each has a delivery to this destination already: a backfill would send nothing. Redeliver what was rejected or has expired.'}
      {count.complete_since !== null && (
        <>
          {' '}
          Events from before <Time at={count.complete_since} show="absolute" /> were removed after their retention.
        </>
      )}
    </p>
  );
}

function missingOf(counted: Counted | null, count: Backfill | undefined, news: News): string | null {
  if (counted === null) return 'Count the events first.';
  if (count === undefined || news === null) return COUNTING;
  if (count.state === 'cancelled') return 'The count was cancelled. Count the events again.';
  if (news === 'some') return null;
  return count.events_total === 0 ? 'No event matches: there is nothing to send.' : 'There is nothing new to send.';
}
