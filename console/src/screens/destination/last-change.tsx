import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lastChangeQuery } from '../../api/destination.js';
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
  const { data: change, error, refetch } = useQuery(lastChangeQuery(id));
  if (error)
    return <ProblemPanel error={error} title="The last change could not be read" onRetry={() => void refetch()} />;
  if (change === undefined) return <p className={ui.soft}>Reading the last change.</p>;
  const changed = change === null ? [] : memberChanges(change.changes);
  return (
    <div className={ui.items} role="group" aria-label="Last change">
      <p>
        {change === null ? (
          'No change since it was created, as far as events are kept.'
        ) : (
          <>
            Last changed by <span className={ui.strong}>{change.subject}</span> <Time at={change.at} />,{' '}
            <Time at={change.at} show="absolute" />.{' '}
            <Link to="/events/$id" params={{ id: change.eventId }}>
              The event of the change
            </Link>
          </>
        )}{' '}
        <Link to="/resources/$family/$id" params={{ family: 'event_destination', id }} search={{ parent: undefined }}>
          All changes
        </Link>
      </p>
      {changed.length > 0 && <ChangedValues changes={changed} />}
      {change !== null && changed.length === 0 && (
        <p className={ui.soft}>It changed no value that is shown. Secrets are never shown.</p>
      )}
    </div>
  );
}
