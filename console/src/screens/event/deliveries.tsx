import { useInfiniteQuery } from '@tanstack/react-query';
import type { Delivery, Event } from '@waybill/client';
import { useMemo, useState } from 'react';
import { eventDeliveriesQuery, isOpen } from '../../api/deliveries.js';
import { hasWords } from '../../api/names.js';
import { useStatuses } from '../../app/status-feed-context.js';
import { EmptyState } from '../../components/empty-state.js';
import { MoreButton } from '../../components/more-button.js';
import { QueryState } from '../../components/query-state.js';
import { SearchInput } from '../../components/search-input.js';
import { Time } from '../../components/time.js';
import { useNow } from '../../time/clock.js';
import { lengthText } from '../../time/format.js';
import { DeliveryRow } from './delivery-row.js';
import { inShownOrder, summaryOf } from './delivery-summary.js';
import { extentOf, spansOf } from './timeline.js';
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
      {completeSince !== undefined && (
        <p className={ui.note}>
          Complete since <Time at={completeSince} show="absolute" />. Earlier deliveries were removed after their
          retention.
        </p>
      )}
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

function Rows({ deliveries, hasMore }: { readonly deliveries: readonly Delivery[]; readonly hasMore: boolean }) {
  const [words, setWords] = useState('');
  const { statuses } = useStatuses();
  const byId = useMemo(() => new Map(statuses?.map((status) => [status.id, status])), [statuses]);
  const now = useNow(deliveries.some(isOpen));
  const [shown, setShown] = useState<readonly string[]>([]);
  const ordered = inShownOrder(deliveries, shown);
  if (ordered.some(({ id }) => !shown.includes(id))) setShown(ordered.map(({ id }) => id));
  const matching = ordered.filter(({ destination_id: id }) =>
    hasWords(`${byId.get(id)?.description ?? ''} ${id}`, words.trim()),
  );
  const rows = matching.map((delivery) => ({ delivery, spans: spansOf(delivery, now) }));
  const extent = extentOf(rows.map(({ spans }) => spans));
  return (
    <>
      <p>
        {hasMore && `Of the ${deliveries.length.toLocaleString('en')} destinations read so far: `}
        {summaryOf(deliveries)}
      </p>
      {deliveries.length >= FEWEST_FILTERED && (
        <SearchInput
          label="Filter the deliveries"
          placeholder="Name or id of a destination"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      {words !== '' && (
        <p role="status" className={ui.note}>
          {`${rows.length.toLocaleString('en')} of ${deliveries.length.toLocaleString('en')} that were read match`}
        </p>
      )}
      <ul className={ui.stack} aria-label="Destinations of the event">
        {rows.map(({ delivery, spans }) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            spans={spans}
            extent={extent}
            status={byId.get(delivery.destination_id)}
            isListed={statuses !== null}
          />
        ))}
      </ul>
      {extent && (
        <p className={ui.note}>
          The bars show {lengthText(extent[1] - extent[0])}: waits are thin, attempts are thick.
        </p>
      )}
    </>
  );
}
