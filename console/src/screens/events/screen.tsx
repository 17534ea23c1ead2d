import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { filterNames, idPrefix } from '../../api/event-filter.js';
import { eventCountsQuery, MOST_NEWER, type EventRow } from '../../api/events.js';
import { countFilters, type EventSearch } from '../../app/event-search.js';
import { useMay } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import { DataTable, focusTable } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { Time } from '../../components/time.js';
import { eventColumns } from './event-columns.js';
import { EventPane, useIsWide } from './event-pane.js';
import { ExportDialog } from './export-dialog.js';
import { Facets } from './facets.js';
import { Histogram } from './histogram.js';
import { SavedViews } from './saved-views.js';
import { SearchBar } from './search-bar.js';
import { useEventList, type EventList } from './use-event-list.js';
import ui from '../../components/ui.module.css';
import styles from './events.module.css';

/** Filters that take an id. */
const idFilters = ['object_id', 'principal_id', 'credential_id', 'operation_id'] as const;

const noRows: readonly EventRow[] = [];

/** Height of a row on a wide screen, in pixels. */
const ROW_HEIGHT = 60;

/** The events of the account, searched by what they have. */
function Events() {
  const search = screen.useSearch();
  const navigate = screen.useNavigate();
  const mayExport = useMay('export');
  const [isExporting, setExporting] = useState(false);
  const list = useEventList(search);
  const columns = useMemo(() => eventColumns(search), [search]);
  const { rows, selection, error, newer } = list;
  const counting = useQuery(eventCountsQuery(selection.filter));
  // Until they are read, the counts of the search before stay in their place.
  const { data: counts, isPlaceholderData: isStale } = counting;
  const isWide = useIsWide();
  const [chosenId, setChosen] = useState<string | null>(null);
  const chosen = rows?.find(({ id }) => id === chosenId) ?? rows?.[0];

  // The button Back of the browser takes a filter back.
  const change = (next: Partial<EventSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), resetScroll: false });
  const clear = (): void => void navigate({ search: { order: search.order }, resetScroll: false });
  const open = useCallback(
    (id: string) => void navigate({ to: '/events/$id', params: { id }, search: (before) => before }),
    [navigate],
  );

  return (
    <>
      <PageHeader
        title="Events"
        actions={
          mayExport && (
            <Button icon="exports" onPress={() => setExporting(true)}>
              Export
            </Button>
          )
        }
      >
        <p>Every change in the account, with who made it and where it was delivered.</p>
        <p className={`${ui.note} ${styles.keys}`}>
          <kbd>/</kbd> adds a filter · <kbd>↑</kbd> <kbd>↓</kbd> move in the list · <kbd>Enter</kbd> opens an event ·{' '}
          <kbd>j</kbd> <kbd>k</kbd> lead from there to the next and the previous one
        </p>
      </PageHeader>
      <div className={ui.parts}>
        <SearchBar search={search} rows={rows ?? noRows} onChange={change} onClear={clear} onOpenEvent={open} />
        <SavedViews search={search} />
        {counting.isPending && <div className={styles.noBars} />}
        {counting.error && !error && (
          <ProblemPanel
            error={counting.error}
            title="The events could not be counted"
            onRetry={() => void counting.refetch()}
          />
        )}
        {counts && counts.events > 0 && (
          <Histogram counts={counts} isStale={isStale} search={search} onChange={change} />
        )}
        <Facets rows={rows ?? noRows} hasMore={list.hasMore} counts={isStale ? undefined : counts} onChange={change} />
        {newer > 0 && (
          <div role="status" className={`${ui.line} ${styles.newer}`}>
            {newer.toLocaleString('en')}
            {newer >= MOST_NEWER && ' or more'} new {newer === 1 ? 'event' : 'events'}
            <Button
              look="quiet"
              onPress={() => {
                list.insertNewer();
                focusTable();
              }}
            >
              {newer >= MOST_NEWER ? 'Read the list again' : 'Show above'}
            </Button>
          </div>
        )}
        {error && <ProblemPanel error={error} title="The events could not be read" onRetry={list.resume} />}
        {rows === null && !error && <Progress label="Reading the events" />}
        {rows !== null && rows.length > 0 && (
          <div className={styles.split}>
            <DataTable
              label="Events"
              rows={rows}
              columns={columns}
              onOpen={(row) => open(row.id)}
              onEndReached={list.readOn}
              estimatedHeight={ROW_HEIGHT}
              chosen={isWide && chosen ? { id: chosen.id, onChange: ({ id }) => setChosen(id) } : undefined}
            />
            {isWide && chosen && <EventPane id={chosen.id} search={search} />}
          </div>
        )}
        {rows !== null && <ListStatus list={list} readsPayloads={(search.text ?? search.ip) !== undefined} />}
        {rows?.length === 0 && !list.hasMore && !error && <NoEvents list={list} search={search} onClear={clear} />}
      </div>
      {isExporting && <ExportDialog onClose={() => setExporting(false)} filter={selection.filter} />}
    </>
  );
}

interface NoEventsProps {
  readonly list: EventList;
  readonly search: EventSearch;
  readonly onClear: () => void;
}

function NoEvents({ list, search, onClear }: NoEventsProps) {
  const again = <Button onPress={list.readAgain}>Search again</Button>;
  const noId = idFilters.find((name) => search[name] !== undefined && idPrefix(search[name]) === null);
  if (countFilters(search) === 0) {
    return (
      <EmptyState title="No event yet" actions={again}>
        Every change of a resource becomes an event, and so does every change that your API publishes.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No event matches"
      actions={
        <>
          <Button onPress={onClear}>Show all events</Button>
          {again}
        </>
      }
    >
      <p>All events that are kept were searched. Filters combine: an event must pass each of them.</p>
      {search.type?.some((type) => type.startsWith('event_destination_status_changed.')) === true && (
        <p>Changes of the status of destinations are events only while a destination is subscribed to this type.</p>
      )}
      {noId && (
        <p>
          “{search[noId]}” is no id of Waybill. The filter {filterNames[noId]} compares ids, and no names. Type the name
          into the field above, and choose a suggestion.
        </p>
      )}
    </EmptyState>
  );
}

/** How many events are shown, how far the search has come, and what the list misses. */
function ListStatus({ list, readsPayloads }: { readonly list: EventList; readonly readsPayloads: boolean }) {
  const { rows, hasMore, isReading, isSearching, isStopped, reached, completeSince, stop, resume } = list;
  const count = rows?.length ?? 0;
  const events = `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`;
  return (
    <div className={`${ui.line} ${ui.soft}`}>
      <p role="status">{hasMore ? `${events} read, more to search` : `${events}, all that match`}</p>
      {(isReading || isSearching) && <Progress label={isSearching ? 'Searching' : 'Reading more events'} />}
      {hasMore && reached !== null && (
        <p>
          Searched {readsPayloads && 'the payloads, 2,000 at a time, '}up to <Time at={reached} show="absolute" />
        </p>
      )}
      {isSearching && (
        <Button look="quiet" onPress={stop}>
          Stop the search
        </Button>
      )}
      {isStopped && <Button onPress={resume}>Search further</Button>}
      {completeSince !== undefined && (
        <p>
          Complete since <Time at={completeSince} show="absolute" />. Earlier events were removed after their retention,
          or are not indexed yet.
        </p>
      )}
    </div>
  );
}

export const screen = createLazyRoute('/signed-in/events')({ component: Events });
