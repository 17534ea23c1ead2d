import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { newestRecoveryQuery, RECOVERY_KEY } from '../../api/recoveries.js';
import { request } from '../../api/request.js';
import { UNDELIVERED_KEY } from '../../api/undelivered.js';
import { Button } from '../button.js';
import { ProblemPanel } from '../problem-panel.js';
import { Progress } from '../progress.js';
import { Time } from '../time.js';
import ui from '../ui.module.css';

/** How long the result of a recovery is shown, in milliseconds. */
const SHOWN_MS = 3_600_000;

/**
 * The progress of the newest recovery of the account, and its result for an hour.
 * @param mayOperate whether the role may cancel it
 */
export function RecoveryLine({ mayOperate }: { readonly mayOperate: boolean }) {
  const client = useQueryClient();
  const { data: recovery } = useQuery(newestRecoveryQuery);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (id: string) =>
      request('POST', '/event_destinations/recoveries/{recovery_id}/cancel', { path: { recovery_id: id } }),
    onSuccess: (cancelled) => client.setQueryData(RECOVERY_KEY, cancelled),
  });
  const ended = recovery?.finished_at ?? null;
  useEffect(() => {
    if (ended !== null) void client.invalidateQueries({ queryKey: [UNDELIVERED_KEY] });
  }, [client, ended]);
  if (recovery == null || (ended !== null && Date.now() - Date.parse(ended) > SHOWN_MS)) return null;
  const { id, state, states, from, principal, destination_ids: ids } = recovery;
  const { events_redelivered: done, events_total: total } = recovery;
  const what = (
    <span>
      <strong>{principal.subject}</strong> {ended === null ? 'redelivers' : 'redelivered'} {states.join(' and ')} events
      since <Time at={from} show="absolute" /> to{' '}
      {ids === null ? 'all destinations' : `${ids.length.toLocaleString('en')} of the destinations`}.
    </span>
  );
  return (
    <section className={`${ui.card} ${ui.items}`} aria-label="Redelivery" data-tone={ended ? undefined : 'calm'}>
      {ended === null ? (
        <>
          <div className={ui.line}>
            {what}
            {mayOperate && (
              <Button isBusy={isPending} onPress={() => mutate(id)}>
                Cancel the redelivery
              </Button>
            )}
          </div>
          <Progress label="Queued again" done={done} total={total} />
        </>
      ) : (
        <details>
          <summary className={ui.note}>
            <span role="status">
              {state === 'cancelled' ? 'Cancelled' : 'Ended'} <Time at={ended} />: {done.toLocaleString('en')}{' '}
              {done === 1 ? 'event was' : 'events were'} queued again
            </span>
          </summary>
          {what} What fails again is listed as not delivered.
        </details>
      )}
      {error && <ProblemPanel error={error} title="The redelivery was not cancelled" />}
    </section>
  );
}
