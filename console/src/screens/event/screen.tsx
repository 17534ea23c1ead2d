import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { curlOf } from '../../api/curl.js';
import { eventQuery } from '../../api/events.js';
import { isNotFound } from '../../api/problem.js';
import { countFilters, selectionOf } from '../../app/event-search.js';
import { CopyButton } from '../../components/copy-button.js';
import { EmptyState } from '../../components/empty-state.js';
import { JsonView } from '../../components/json-view.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { Time } from '../../components/time.js';
import { Changes } from './changes-view.js';
import { Deliveries } from './deliveries.js';
import { Facts } from './facts.js';
import { Neighbours } from './neighbours.js';
import ui from '../../components/ui.module.css';
import styles from './event.module.css';

/** One event: who, what, when, with which key, from where, and its outcome at each destination. */
function EventPage() {
  const { id } = screen.useParams();
  const search = screen.useSearch();
  const [now] = useState(() => Date.now());
  const selection = useMemo(() => selectionOf(search, now), [search, now]);
  const { data: event, error, refetch } = useQuery(eventQuery(id));
  const isFiltered = countFilters(search) > 0;
  return (
    <>
      <nav aria-label="Events" className={`${ui.line} ${ui.between} ${styles.nav}`}>
        <Link to="/events" search={search}>
          {isFiltered ? 'Back to the search' : 'All events'}
        </Link>
        <Neighbours id={id} selection={selection} search={search} />
      </nav>
      <PageHeader
        title={event?.type ?? 'Event'}
        actions={event && <CopyButton text={curlOf(event.uri)} label="Copy as curl" withLabel />}
      >
        <p className={ui.line}>
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id of the event" />
          {event && <Time at={event.created_at} />}
        </p>
      </PageHeader>
      {error && <EventProblem error={error} onRetry={() => void refetch()} />}
      {!event && !error && <Progress label="Reading the event" />}
      {event && (
        <div className={ui.parts}>
          {event.payload === null ? (
            <p className={ui.card}>
              This event was erased on request, by <code>{event.erasure_id}</code>. Its deliveries, and its leaves in
              the logs of destinations, remain.
            </p>
          ) : (
            <>
              <Facts resource={event.resource_id} payload={event.payload} />
              <Changes key={`changes ${id}`} event={event} />
              <section className={ui.stack}>
                <h2>JSON</h2>
                <p className={ui.note}>
                  The stored payload. Each delivery adds <code>epoch</code> and <code>sequence</code>;{' '}
                  <code>fields</code> of a subscription may leave members out.
                </p>
                <JsonView value={event.payload} label="Payload of the event" />
              </section>
            </>
          )}
          <Deliveries key={`deliveries ${id}`} event={event} />
        </div>
      )}
    </>
  );
}

interface EventProblemProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

function EventProblem({ error, onRetry }: EventProblemProps) {
  if (isNotFound(error)) {
    return (
      <EmptyState title="No such event" actions={<Link to="/events">Search events</Link>}>
        The account has no event with this id. It may be of another account, or its retention has ended.
      </EmptyState>
    );
  }
  return <ProblemPanel error={error} title="The event could not be read" onRetry={onRetry} />;
}

export const screen = createLazyRoute('/signed-in/events/$id')({ component: EventPage });
