import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { EventDestinationStatus } from '@waybill/client';
import { useCallback, useMemo } from 'react';
import { destinationOptions } from '../../api/destination-options.js';
import { undeliveredQuery, undeliveredStates, type UndeliveredFilter } from '../../api/undelivered.js';
import { useStatuses } from '../../app/status-feed-context.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { SelectField } from '../../components/form-field.js';
import { PageHeader } from '../../components/page-header.js';
import { QueryState } from '../../components/query-state.js';
import { stateWord } from '../../components/state-badge.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import { Time } from '../../components/time.js';
import { Toggle, ToggleGroup } from '../../components/toggle.js';
import { UndeliveredTable } from './undelivered-table.js';
import ui from '../../components/ui.module.css';
import styles from './not-delivered.module.css';

/** What no target has received and none will, unless it is redelivered: whether anything was lost. */
function NotDelivered() {
  const filter = screen.useSearch();
  const navigate = screen.useNavigate();
  const { statuses } = useStatuses();
  const query = useInfiniteQuery(undeliveredQuery(filter));
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ deliveries }) => deliveries), [data]);
  const completeSince = data?.pages.find((page) => page.complete_since !== undefined)?.complete_since;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const change = (next: UndeliveredFilter): void => {
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  };
  const isFiltered = filter.state !== undefined || filter.destination_id !== undefined;

  return (
    <>
      <PageHeader title="Not delivered">
        <p>
          Deliveries that have ended and whose events are not at the target: rejected or expired ones, newest first. The
          page of a destination redelivers them.
        </p>
      </PageHeader>
      <div className={ui.parts}>
        <Filters filter={filter} statuses={statuses} onChange={change} />
        <QueryState query={query} what="deliveries" />
        {rows !== undefined && rows.length > 0 && (
          <>
            <UndeliveredTable
              rows={rows}
              statuses={statuses}
              onOpen={({ event_id: id }) => void navigate({ to: '/events/$id', params: { id }, search: {} })}
              onEndReached={readOn}
            />
            <div className={ui.soft}>
              <p role="status">{countText(rows.length, hasNextPage)}</p>
              {completeSince !== undefined && <CompleteSince at={completeSince} />}
            </div>
            {data !== undefined && data.pages.length > 1 && (
              <div className={ui.soft}>
                <p>A list of several pages is not updated by itself.</p>
                <Button isDisabled={isFetching} onPress={() => void refetch()}>
                  Read the list again
                </Button>
              </div>
            )}
          </>
        )}
        {rows?.length === 0 && isFiltered && (
          <EmptyState
            title="No delivery matches"
            actions={
              <Button onPress={() => change({ state: undefined, destination_id: undefined })}>Clear the filters</Button>
            }
          >
            <p>No delivery with these filters was rejected or has expired.</p>
            {completeSince !== undefined && <CompleteSince at={completeSince} />}
          </EmptyState>
        )}
        {rows?.length === 0 && !isFiltered && (
          <EmptyState
            title="Every event that has ended was delivered"
            actions={
              <Link to="/" search={{}}>
                Events that wait, on the overview
              </Link>
            }
          >
            <p>No delivery was rejected, and none has expired. Events that wait can still be delivered.</p>
            <p>What waited for a destination when it was deleted is cancelled, and not listed here.</p>
            {completeSince !== undefined && <CompleteSince at={completeSince} />}
          </EmptyState>
        )}
      </div>
    </>
  );
}

function CompleteSince({ at }: { readonly at: string }) {
  return (
    <p>
      Complete since <Time at={at} show="absolute" />: earlier deliveries were removed after their retention.
    </p>
  );
}

function countText(count: number, hasMore: boolean): string {
  const deliveries = `${count.toLocaleString('en')} ${count === 1 ? 'delivery' : 'deliveries'}`;
  return hasMore ? `${deliveries} read, scroll for more` : `${deliveries}, all that match`;
}

/** Properties of `Filters`. */
interface FiltersProps {
  readonly filter: UndeliveredFilter;
  /** Null before they are known. */
  readonly statuses: readonly EventDestinationStatus[] | null;
  readonly onChange: (change: UndeliveredFilter) => void;
}

/** The filters of the list: the destination, and the state. */
function Filters({ filter: { state, destination_id: id }, statuses, onChange }: FiltersProps) {
  const serviceOf = useServiceOf();
  const options = destinationOptions(statuses ?? [], serviceOf);
  const isUnknown = id !== undefined && options.every(([one]) => one !== id);
  return (
    <search className={`${ui.line} ${ui.fields}`} aria-label="Deliveries">
      <div className={styles.destination}>
        <SelectField
          label="Destination"
          options={[['', 'All destinations'], ...(isUnknown ? [[id, id] as const] : []), ...options]}
          value={id ?? ''}
          onChange={(value) => onChange({ destination_id: value === '' ? undefined : value })}
        />
      </div>
      <ToggleGroup label="States">
        {undeliveredStates.map((one) => (
          <Toggle key={one} isOn={one === state} onPress={() => onChange({ state: one === state ? undefined : one })}>
            {stateWord(one)}
          </Toggle>
        ))}
      </ToggleGroup>
      {(state !== undefined || id !== undefined) && (
        <Button look="quiet" icon="close" onPress={() => onChange({ state: undefined, destination_id: undefined })}>
          Clear the filters
        </Button>
      )}
    </search>
  );
}

export const screen = createLazyRoute('/signed-in/not-delivered')({ component: NotDelivered });
