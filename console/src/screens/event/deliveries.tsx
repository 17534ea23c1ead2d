import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, Event, EventDestinationStatus } from '@waybill/client';
import { useMemo, useState } from 'react';
import { eventDeliveriesQuery, isOpen } from '../../api/deliveries.js';
import { hasWords } from '../../api/names.js';
import { nameOrId } from '../../api/resource-label.js';
import { useStatuses } from '../../app/status-stream-context.js';
import { CompleteSince } from '../../components/complete-since.js';
import { DataTable, type DataColumn } from '../../components/data-table.js';
import { stateColumns } from '../../components/delivery-columns.js';
import { EmptyState } from '../../components/empty-state.js';
import { MoreButton } from '../../components/more-button.js';
import { QueryState } from '../../components/query-state.js';
import { SearchInput } from '../../components/search-input.js';
import { stateTone, stateWord } from '../../components/state-badge.js';
import { Countdown } from '../../components/time.js';
import { useNow } from '../../time/clock.js';
import { lengthText } from '../../time/format.js';
import { DeliveryDialog } from './delivery-dialog.js';
import { inShownOrder, summaryOf } from './delivery-summary.js';
import { TimelineBar } from './timeline-bar.js';
import { extentOf, outcomeText, spansOf, type Span } from './timeline.js';
import ui from '../../components/ui.module.css';

/** The outcomes of an event: a row for each destination, all on one scale of time. */
export function Deliveries({ event }: { readonly event: Event }) {
  const query = useInfiniteQuery(eventDeliveriesQuery(event.id));
  const { data } = query;
  const deliveries = useMemo(() => data?.pages.flatMap((page) => page.deliveries), [data]);
  const completeSince = data?.pages[0]?.complete_since;
  return (
    <section className={ui.stack}>
      <h2>Deliveries</h2>
      <QueryState query={query} what="deliveries" />
      <CompleteSince at={completeSince} />
      {deliveries?.length === 0 && completeSince === undefined && (
        <EmptyState title="No destination received this event">
          A destination receives an event if it was subscribed to the type when the event occurred, and its filter let
          the event pass.
        </EmptyState>
      )}
      {deliveries !== undefined && deliveries.length > 0 && (
        <Rows deliveries={deliveries} hasMore={query.hasNextPage} />
      )}
      <MoreButton query={query}>Show more destinations</MoreButton>
    </section>
  );
}

/** Fewest deliveries that are filtered by a text. */
const FEWEST_FILTERED = 6;

/** Height of a row on a wide screen, in pixels. */
const ROW_HEIGHT = 37;

/** A delivery with what is known of its destination. */
interface Row extends Delivery {
  readonly name: string;
  readonly status: EventDestinationStatus | undefined;
  readonly spans: readonly Span[];
}

function Rows({ deliveries, hasMore }: { readonly deliveries: readonly Delivery[]; readonly hasMore: boolean }) {
  const [words, setWords] = useState('');
  const [opened, setOpened] = useState<string | null>(null);
  const { statuses } = useStatuses();
  const now = useNow(deliveries.some(isOpen));
  const [shown, setShown] = useState<readonly string[]>([]);
  const ordered = useMemo(() => inShownOrder(deliveries, shown), [deliveries, shown]);
  if (ordered.some(({ id }) => !shown.includes(id))) setShown(ordered.map(({ id }) => id));
  const all = useMemo(() => {
    const byId = new Map(statuses?.map((status) => [status.id, status]));
    return ordered.map((delivery): Row => {
      const status = byId.get(delivery.destination_id);
      const name = nameOrId(status?.description, delivery.destination_id);
      return { ...delivery, name, status, spans: spansOf(delivery, now) };
    });
  }, [ordered, statuses, now]);
  const rows = useMemo(() => all.filter((row) => hasWords(wordsOf(row), words.trim())), [all, words]);
  const extent = useMemo(() => extentOf(rows.map(({ spans }) => spans)), [rows]);
  const columns = useMemo(() => columnsOn(extent), [extent]);
  const open = all.find(({ id }) => id === opened);
  return (
    <>
      <p>
        {hasMore && `Of the ${deliveries.length.toLocaleString('en')} destinations read so far: `}
        {summaryOf(deliveries)}
      </p>
      {deliveries.length >= FEWEST_FILTERED && (
        <SearchInput
          label="Filter the deliveries"
          placeholder="Name or id of a destination, state, error"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      {words !== '' && (
        <p role="status" className={ui.note}>
          {`${rows.length.toLocaleString('en')} of ${deliveries.length.toLocaleString('en')} that were read match`}
        </p>
      )}
      <DataTable
        label="Destinations of the event"
        rows={rows}
        columns={columns}
        rowTone={({ state }) => stateTone(state)}
        onOpen={({ id }) => setOpened(id)}
        estimatedHeight={ROW_HEIGHT}
        isCompact
      />
      {extent && (
        <p className={ui.note}>
          A row opens the attempts. The bars show {lengthText(extent[1] - extent[0])}: waits are thin, attempts are
          thick.
        </p>
      )}
      {open && (
        <DeliveryDialog
          delivery={open}
          name={open.name}
          status={open.status}
          isListed={statuses !== null}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** Returns the texts that find a row. */
function wordsOf({ name, destination_id: id, state, error }: Row): string {
  return [name, id, stateWord(state), error?.code, error?.message].join(' ');
}

/** Returns the columns of the table. @param extent begin and end of the scale of all rows */
function columnsOn(extent: readonly [number, number] | null): readonly DataColumn<Row>[] {
  return [
    {
      id: 'destination',
      header: 'Destination',
      width: 'minmax(10rem, 2fr)',
      cell: ({ destination_id: id, name, status }) =>
        status ? (
          <Link to="/destinations/$id" params={{ id }} search={{}} className={ui.clamped}>
            {name === id ? <code>{id}</code> : name}
          </Link>
        ) : (
          <div className={ui.clamped}>{name === id ? <code>{id}</code> : name}</div>
        ),
    },
    ...stateColumns,
    {
      id: 'attempts',
      header: 'Attempts',
      width: 'minmax(4.5rem, 0.4fr)',
      align: 'end',
      cell: ({ attempt_count: count }) => <span className={ui.number}>{count.toLocaleString('en')}</span>,
    },
    {
      id: 'time',
      header: 'Time',
      width: 'minmax(7rem, 1.5fr)',
      wide: true,
      cell: (row) => <TimelineBar spans={row.spans} extent={extent} label={`${row.name}: ${outcomeText(row)}`} />,
    },
    {
      id: 'outcome',
      header: 'Outcome',
      width: 'minmax(11rem, 2fr)',
      wide: true,
      cell: (row) => <Outcome delivery={row} next={row.status?.next_attempt_at ?? null} />,
    },
  ];
}

/** How long a delivery took, why it failed, or when it is tried again. */
function Outcome({ delivery, next }: { readonly delivery: Delivery; readonly next: string | null }) {
  const { state, error, attempts, created_at: created, finished_at: finished } = delivery;
  if (state === 'delivered' && finished !== null)
    return `after ${lengthText(Date.parse(finished) - Date.parse(created))}`;
  const code = error?.code ?? attempts.at(-1)?.code;
  return (
    <span className={ui.note}>
      {code == null ? outcomeText(delivery) : <code>{code}</code>}
      {isOpen(delivery) && next !== null && (
        <>
          {' · next attempt '}
          <Countdown to={next} />
        </>
      )}
    </span>
  );
}
