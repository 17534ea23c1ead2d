import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lastChangeQuery } from '../../api/destination.js';
import { changesIn } from '../../api/events.js';
import { ChangedValues } from '../../components/changed-values.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Time } from '../../components/time.js';
import { memberChanges } from './target-changes.js';
import ui from '../../components/ui.module.css';

interface LastChangeFactsProps {
  readonly id: string;
}

/** Who changed a destination last, when, and what: old and new value of each member. */
export function LastChangeFacts({ id }: LastChangeFactsProps) {
  const { data: event, error, refetch } = useQuery(lastChangeQuery(id));
  if (error)
    return <ProblemPanel error={error} title="The last change could not be read" onRetry={() => void refetch()} />;
  if (event === undefined) return <p className={ui.soft}>Reading the last change.</p>;
  const changes = changesIn(event?.payload);
  const changed = changes === null ? [] : memberChanges(changes);
  return (
    <div className={ui.items} role="group" aria-label="Last change">
      <p>
        {event === null ? (
          'No change since it was created, as far as events are kept.'
        ) : (
          <>
            Last changed by <span className={ui.strong}>{event.payload?.principal.subject ?? 'erased'}</span>{' '}
            <Time at={event.created_at} />, <Time at={event.created_at} show="absolute" />.{' '}
            <Link to="/events/$id" params={{ id: event.id }}>
              The event of the change
            </Link>
          </>
        )}{' '}
        <Link to="/resources/$family/$id" params={{ family: 'event_destination', id }} search={{ parent: undefined }}>
          All changes
        </Link>
      </p>
      {changed.length > 0 && <ChangedValues changes={changed} />}
      {event !== null && changed.length === 0 && (
        <p className={ui.soft}>It changed no value that is shown. Secrets are never shown.</p>
      )}
    </div>
  );
}
