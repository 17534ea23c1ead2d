import { Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { undeliveredStates } from '../../api/undelivered.js';
import { breakable } from '../../components/breakable.js';
import type { DataColumn } from '../../components/data-table.js';
import { useIsDeleted } from '../../components/deleted-destination.js';
import { stateColumns, timeColumns } from '../../components/delivery-columns.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import ui from '../../components/ui.module.css';

/** Returns the columns of what was not delivered. The statuses are null before they are known. */
export function undeliveredColumns(
  statuses: readonly EventDestinationStatus[] | null,
): readonly DataColumn<Delivery>[] {
  const known = statuses && new Map(statuses.map((status) => [status.id, status]));
  return [
    {
      id: 'event',
      header: 'Event',
      width: 'minmax(13.75rem, 1.5fr)',
      cell: ({ event_id: id, event_type: type }) => (
        <>
          <Link to="/events/$id" params={{ id }} className={`${ui.strong} ${ui.clamped}`}>
            {breakable(type, '_')}
          </Link>
          <div className={ui.note}>
            <code>{id}</code>
          </div>
        </>
      ),
    },
    {
      id: 'destination',
      header: 'Destination',
      width: 'minmax(13.25rem, 1.25fr)',
      wide: true,
      cell: (delivery) => (
        <DestinationCell delivery={delivery} status={known?.get(delivery.destination_id)} isListed={known !== null} />
      ),
    },
    ...stateColumns,
    {
      id: 'reason',
      header: 'Reason',
      width: 'minmax(9rem, 2.5fr)',
      wide: true,
      cell: ({ error }) =>
        error === null ? (
          <span className={ui.soft}>No reason was recorded.</span>
        ) : (
          <>
            <div>{error.message}</div>
            <div className={ui.note}>
              <code>{error.code}</code>
            </div>
          </>
        ),
    },
    // Narrow: the reason is long.
    ...timeColumns.map((column) => ({ ...column, width: 'minmax(7.5rem, 0.5fr)' })),
  ];
}

interface DestinationCellProps {
  readonly delivery: Delivery;
  /** Undefined where the list of all destinations does not have it. */
  readonly status: EventDestinationStatus | undefined;
  /** Whether the list of all destinations has been read. */
  readonly isListed: boolean;
}

/** Leads to the deliveries of the destination in the state of this one, and says when the destination is deleted. */
function DestinationCell({ delivery: { destination_id: id, state }, status, isListed }: DestinationCellProps) {
  const serviceOf = useServiceOf();
  if (useIsDeleted(id, isListed && status === undefined)) {
    return (
      <>
        <code>{id}</code>
        <div className={ui.note}>deleted destination</div>
      </>
    );
  }
  return (
    <>
      <Link
        to="/destinations/$id"
        params={{ id }}
        search={{ tab: 'deliveries', state: undeliveredStates.find((one) => one === state) }}
        className={ui.clamped}
      >
        {status?.description || <code>{id}</code>}
      </Link>
      {status && <div className={ui.note}>{serviceOf(status.target_kind)}</div>}
    </>
  );
}
