import { Link } from '@tanstack/react-router';
import type { Delivery } from '@waybill/client';
import { breakable } from '../../../components/breakable.js';
import type { DataColumn } from '../../../components/data-table.js';
import { stateColumns, timeColumns } from '../../../components/delivery-columns.js';
import ui from '../../../components/ui.module.css';

/** The columns of the deliveries of a destination. */
export const deliveryColumns: readonly DataColumn<Delivery>[] = [
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
