import { Link } from '@tanstack/react-router';
import { useMemo, type Ref } from 'react';
import type { EventRow } from '../../api/events.js';
import type { EventSearch } from '../../app/event-search.js';
import { breakable } from '../../components/breakable.js';
import { DataTable, idOf, type ChosenRow, type DataColumn, type DataTableHandle } from '../../components/data-table.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';

/** Height of a row on a wide screen, in pixels. */
const ROW_HEIGHT = 60;

interface EventTableProps {
  readonly rows: readonly EventRow[];
  /** The search that an opened event belongs to. */
  readonly search: EventSearch;
  readonly onOpen: (row: EventRow) => void;
  readonly onEndReached: () => void;
  readonly handle: Ref<DataTableHandle>;
  /** The event that is shown beside the list. */
  readonly chosen: ChosenRow<EventRow> | undefined;
}

/** The events of a search. */
export function EventTable({ rows, search, onOpen, onEndReached, handle, chosen }: EventTableProps) {
  const columns = useMemo(() => columnsFor(search), [search]);
  return (
    <DataTable
      label="Events"
      rows={rows}
      columns={columns}
      rowId={idOf}
      onOpen={onOpen}
      onEndReached={onEndReached}
      estimatedHeight={ROW_HEIGHT}
      handle={handle}
      chosen={chosen}
    />
  );
}

function columnsFor(search: EventSearch): readonly DataColumn<EventRow>[] {
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
