import { Link } from '@tanstack/react-router';
import type { EventRow } from '../../api/events.js';
import type { EventSearch } from '../../app/event-search.js';
import { breakable } from '../../components/breakable.js';
import type { DataColumn } from '../../components/data-table.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';

/** Returns the columns of the events of a search. A link to one has the search. */
export function eventColumns(search: EventSearch): readonly DataColumn<EventRow>[] {
  return [
    {
      id: 'type',
      header: 'Event',
      width: 'minmax(14rem, 2fr)',
      cell: ({ id, type, changed }) => (
        <>
          <Link to="/events/$id" params={{ id }} search={search} className={`${ui.strong} ${ui.clamped}`}>
            {breakable(type, '_')}
          </Link>
          {changed.length > 0 && <div className={ui.note}>changed {changed.join(', ')}</div>}
        </>
      ),
    },
    {
      id: 'resource',
      header: 'Resource',
      width: 'minmax(12rem, 2fr)',
      wide: true,
      cell: ({ resourceId, resourceName }) => (
        <>
          {resourceName !== null && <div>{resourceName}</div>}
          <code className={resourceName === null ? undefined : ui.note}>{resourceId}</code>
        </>
      ),
    },
    {
      id: 'who',
      header: 'Who',
      width: 'minmax(10rem, 1.5fr)',
      cell: ({ subject, ip }) => (
        <>
          {subject}
          {ip !== null && <div className={ui.note}>from {ip}</div>}
        </>
      ),
    },
    {
      id: 'when',
      header: 'When',
      width: 'minmax(15.5rem, 1fr)',
      wide: true,
      cell: ({ createdAt }) => <Time at={createdAt} show="both" withMs />,
    },
  ];
}
