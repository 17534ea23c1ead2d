import type { Delivery } from '@waybill/client';
import type { DataColumn } from './data-table.js';
import { StateBadge } from './state-badge.js';
import { Time } from './time.js';
import ui from './ui.module.css';

/** The state of a delivery and its sequence, as columns of a table. */
export const stateColumns: readonly DataColumn<Delivery>[] = [
  {
    id: 'state',
    header: 'State',
    width: 'minmax(7.25rem, 0.4fr)',
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: 'sequence',
    header: 'Sequence',
    width: 'minmax(5.25rem, 0.4fr)',
    align: 'end',
    cell: ({ sequence, epoch }) => (
      <span className={ui.number}>
        {sequence === null ? <span className={ui.soft}>none</span> : sequence.toLocaleString('en')}
        {epoch !== null && epoch > 1 && <div className={ui.note}>epoch {epoch}</div>}
      </span>
    ),
  },
];

/** When the event of a delivery was recorded, and when the delivery ended, as columns of a table. */
export const timeColumns: readonly DataColumn<Delivery>[] = [
  {
    id: 'recorded',
    header: 'Recorded',
    width: 'minmax(12rem, 0.5fr)',
    wide: true,
    cell: ({ created_at: at }) => <Time at={at} show="both" />,
  },
  {
    id: 'ended',
    header: 'Ended',
    width: 'minmax(12rem, 0.5fr)',
    wide: true,
    cell: ({ finished_at: at }) =>
      at === null ? <span className={ui.soft}>not yet</span> : <Time at={at} show="both" />,
  },
];
