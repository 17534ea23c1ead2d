import { Link } from '@tanstack/react-router';
import type { Delivery } from '@waybill/client';
import type { Ref } from 'react';
import { breakable } from '../../../components/breakable.js';
import { DataTable, idOf, type DataColumn, type DataTableHandle } from '../../../components/data-table.js';
import { stateColumns, timeColumns } from '../../../components/delivery-columns.js';
import { stateTone } from '../../../components/state-badge.js';
import ui from '../../../components/ui.module.css';

interface DeliveryTableProps {
  readonly rows: readonly Delivery[];
  readonly onOpen: (delivery: Delivery) => void;
  readonly onEndReached: () => void;
  readonly handle: Ref<DataTableHandle>;
  /** Whether the rows are those of other filters. */
  readonly isStale: boolean;
}

const columns: readonly DataColumn<Delivery>[] = [
  {
    id: 'event',
    header: 'Event',
    width: 'minmax(14rem, 2fr)',
    cell: (delivery) => (
      <>
        <div className={`${ui.strong} ${ui.clamped}`}>{breakable(delivery.event_type, '_')}</div>
        <div className={ui.note}>
          <Link to="/events/$id" params={{ id: delivery.event_id }}>
            <code>{delivery.event_id}</code>
          </Link>
        </div>
      </>
    ),
  },
  ...stateColumns,
  {
    id: 'response',
    header: 'Last response',
    width: 'minmax(13rem, 3fr)',
    wide: true,
    cell: (delivery) => <LastResponse delivery={delivery} />,
  },
  ...timeColumns,
];

/** The deliveries of a destination. Enter, or a click, shows the attempts of one. */
export function DeliveryTable({ rows, onOpen, onEndReached, handle, isStale }: DeliveryTableProps) {
  return (
    <DataTable
      label="Deliveries"
      rows={rows}
      columns={columns}
      rowId={idOf}
      rowTone={({ state }) => stateTone(state)}
      onOpen={onOpen}
      onEndReached={onEndReached}
      handle={handle}
      isStale={isStale}
    />
  );
}

function LastResponse({ delivery: { attempts, attempt_count: count, error, state } }: { readonly delivery: Delivery }) {
  if (count === 0 && error === null) return <span className={ui.soft}>no attempt yet</span>;
  const last = attempts.at(-1);
  const tries = `${count.toLocaleString('en')} ${count === 1 ? 'attempt' : 'attempts'}`;
  if (state === 'delivered') return <span className={ui.soft}>accepted, {tries}</span>;
  return (
    <>
      <div>{error?.message ?? last?.message ?? 'The target gave no reason.'}</div>
      <div className={ui.note}>
        <code>{error?.code ?? last?.code ?? 'no code'}</code> · {tries}
      </div>
    </>
  );
}
