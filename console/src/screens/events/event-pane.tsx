import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { changesIn, eventQuery } from '../../api/events.js';
import type { EventSearch } from '../../app/event-search.js';
import { ChangedValues } from '../../components/changed-values.js';
import { CopyButton } from '../../components/copy-button.js';
import { JsonView } from '../../components/json-view.js';
import { QueryState } from '../../components/query-state.js';
import { changedValues } from '../../components/value-changes.js';
import ui from '../../components/ui.module.css';
import styles from './events.module.css';

/** Screens that are wide enough for an event beside the list, as in `events.module.css`. */
const wide = window.matchMedia('(min-width: 96rem)');

/** Whether an event is shown beside the list. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      wide.addEventListener('change', changed);
      return () => wide.removeEventListener('change', changed);
    },
    () => wide.matches,
  );
}

/** Time that an event is chosen before it is read, in milliseconds: the arrow keys pass many. */
const CHOSEN_MS = 150;

interface EventPaneProps {
  readonly id: string;
  /** The search that the event belongs to. */
  readonly search: EventSearch;
}

/** The event that is chosen in the list: what changed, and its payload. */
export function EventPane({ id: chosenId, search }: EventPaneProps) {
  const [id, setId] = useState(chosenId);
  useEffect(() => {
    const timer = setTimeout(() => setId(chosenId), CHOSEN_MS);
    return () => clearTimeout(timer);
  }, [chosenId]);
  const query = useQuery({ ...eventQuery(id), placeholderData: keepPreviousData });
  const { data: event } = query;
  const changes = changesIn(event?.payload);
  return (
    <section
      aria-label="Selected event"
      aria-busy={event?.id !== chosenId}
      className={`${ui.card} ${ui.stack} ${styles.pane}`}
    >
      <QueryState query={query} what="event" />
      {event && (
        <>
          <h2>
            <Link to="/events/$id" params={{ id: event.id }} search={search}>
              {event.type}
            </Link>
          </h2>
          <p className={ui.line}>
            <code>{event.id}</code>
            <CopyButton text={event.id} label="Copy the id of the event" />
          </p>
          {changes && <ChangedValues changes={changedValues(changes.before, changes.after)} />}
          <JsonView value={event.payload} label="Payload of the selected event" />
        </>
      )}
    </section>
  );
}
