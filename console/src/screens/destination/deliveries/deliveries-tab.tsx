import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';
import { deliveriesQuery } from '../../../api/deliveries.js';
import { Button } from '../../../components/button.js';
import { CompleteSince } from '../../../components/complete-since.js';
import { DataTable } from '../../../components/data-table.js';
import { EmptyState } from '../../../components/empty-state.js';
import { QueryState } from '../../../components/query-state.js';
import { stateTone } from '../../../components/state-badge.js';
import { filtersOf, noFilters, type TabProps } from '../search.js';
import { deliveryColumns } from './delivery-columns.js';
import { DeliveryDialog } from './delivery-dialog.js';
import { DeliveryFilterBar } from './delivery-filter-bar.js';
import ui from '../../../components/ui.module.css';

/** The deliveries of a destination, with filters, and the attempts of each. */
export function DeliveriesTab({ id, status, search, onChange }: TabProps) {
  const filters = filtersOf(search);
  const query = useInfiniteQuery(deliveriesQuery(id, filters));
  const { data, error, hasNextPage, isFetching, fetchNextPage, isPlaceholderData, isFetchedAfterMount } = query;
  // Rows of other filters, or of an earlier visit, stay until these are read: they are no answer.
  const isStale = data !== undefined && (isPlaceholderData || (isFetching && !isFetchedAfterMount));
  const rows = useMemo(() => data?.pages.flatMap(({ deliveries }) => deliveries) ?? [], [data]);
  const completeSince = data?.pages.find((page) => page.complete_since !== undefined)?.complete_since;
  const { history } = useRouter();
  const isPushed = useRef(false);
  const open = (deliveryId: string): void => {
    isPushed.current = true;
    onChange({ delivery: deliveryId }, { push: true });
  };
  // Back closes what was opened here, so that closing it leaves no second entry of the list in the history.
  const close = (): void => {
    if (isPushed.current) history.back();
    else onChange({ delivery: undefined });
    isPushed.current = false;
  };
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const isRead = data !== undefined && !isStale && error === null;
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <>
      <DeliveryFilterBar filters={filters} onChange={onChange} />
      <CompleteSince at={completeSince} />
      <QueryState query={query} what="deliveries" />
      {isStale && !error && (
        <p role="status" className={ui.strong}>
          Reading… {rows.length > 0 && 'The rows below are what was read before.'}
        </p>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Deliveries"
          rows={rows}
          columns={deliveryColumns}
          rowTone={({ state }) => stateTone(state)}
          onOpen={(row) => open(row.id)}
          onEndReached={readMore}
          isStale={isStale}
        />
      )}
      {isRead && rows.length === 0 && hasNextPage && (
        <EmptyState title="Nothing found yet" actions={<Button onPress={readMore}>Search further</Button>}>
          A search reads a bounded part of the deliveries at a time, and there is more to search.
        </EmptyState>
      )}
      {isRead && rows.length === 0 && !hasNextPage && isFiltered && (
        <EmptyState
          title="No delivery matches"
          actions={<Button onPress={() => onChange(noFilters())}>Clear the filters</Button>}
        >
          The destination has no delivery with all of these filters.
        </EmptyState>
      )}
      {isRead && rows.length === 0 && !hasNextPage && !isFiltered && (
        <EmptyState title="No delivery yet">
          A delivery is made when something changes whose event type a subscription sends to this destination. A test
          makes one at once.
        </EmptyState>
      )}
      {rows.length > 0 && isRead && !hasNextPage && (
        <p className={ui.soft}>
          {rows.length.toLocaleString('en')} {rows.length === 1 ? 'delivery' : 'deliveries'},{' '}
          {isFiltered ? 'all that match.' : 'all that there are.'}
        </p>
      )}
      {rows.length > 0 && hasNextPage && (
        <p role="status" className={ui.soft}>
          {isFetching ? 'Reading more deliveries' : 'Scroll for more deliveries'}
        </p>
      )}
      {search.delivery !== undefined && (
        <DeliveryDialog
          key={search.delivery}
          destinationId={id}
          deliveryId={search.delivery}
          known={rows.find((row) => row.id === search.delivery)}
          status={status}
          onClose={close}
        />
      )}
    </>
  );
}
