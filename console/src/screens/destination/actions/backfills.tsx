import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Backfill } from '@waybill/client';
import { backfillsQuery, cancelBackfill, isUnderWay } from '../../../api/backfills.js';
import { destinationChanged } from '../../../api/destination.js';
import { useMay } from '../../../app/session-context.js';
import { Button } from '../../../components/button.js';
import { Card } from '../../../components/card.js';
import { ProblemPanel } from '../../../components/problem-panel.js';
import { Progress } from '../../../components/progress.js';
import { Time } from '../../../components/time.js';
import ui from '../../../components/ui.module.css';

const words: Readonly<Record<Backfill['state'], string>> = {
  counting: 'Counting',
  running: 'Sending',
  finished: 'Finished',
  cancelled: 'Cancelled',
};

/** The newest backfills of a destination: how far each is, and a button that cancels it. */
export function Backfills({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(backfillsQuery(id));
  if (error) {
    return <ProblemPanel error={error} title="The backfills could not be read" onRetry={() => void refetch()} />;
  }
  if (data === undefined || data.length === 0) return null;
  return (
    <Card title="Backfills">
      <ul className={ui.stack}>
        {data.map((backfill) => (
          <Line key={backfill.id} id={id} backfill={backfill} />
        ))}
      </ul>
    </Card>
  );
}

function Line({ id, backfill }: { readonly id: string; readonly backfill: Backfill }) {
  const mayOperate = useMay('operate');
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => cancelBackfill(id, backfill.id),
    onSettled: () => destinationChanged(client, id),
  });
  const { state, from, to, dry_run: isCount } = backfill;
  const { events_total: total, events_queued: queued, events_skipped: skipped } = backfill;
  return (
    <li className={ui.items}>
      <div className={ui.line}>
        <span className={ui.strong}>{isCount ? `${words[state]} (count only)` : words[state]}</span>
        <span className={ui.soft}>
          events from <Time at={from} show="absolute" /> to <Time at={to} show="absolute" />
        </span>
        {mayOperate && isUnderWay(backfill) && (
          <Button isBusy={isPending} onPress={() => mutate()}>
            Cancel the backfill
          </Button>
        )}
      </div>
      {state === 'counting' && <Progress label="Counting the events" />}
      {state === 'running' && <Progress label="Queued or skipped" done={queued + skipped} total={total} />}
      <p className={ui.note}>
        {total === null ? 'not counted' : `${total.toLocaleString('en')} events`}
        {!isCount && ` · ${queued.toLocaleString('en')} queued · ${skipped.toLocaleString('en')} skipped`}
        {' · requested '}
        <Time at={backfill.created_at} />
        {backfill.filter !== null && (
          <>
            {' · filter '}
            <code>{backfill.filter}</code>
          </>
        )}
      </p>
      {error && <ProblemPanel error={error} title="The backfill was not cancelled" />}
    </li>
  );
}
