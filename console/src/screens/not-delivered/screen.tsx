import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useCallback, useMemo, useState } from 'react';
import { redeliverEvents } from '../../api/deliveries.js';
import { destinationOptions } from '../../api/destination-options.js';
import { destinationChanged } from '../../api/destination.js';
import { nameOrId } from '../../api/resource-label.js';
import { undeliveredQuery, undeliveredStates, type UndeliveredFilter } from '../../api/undelivered.js';
import { useMay } from '../../app/session-context.js';
import { useStatuses } from '../../app/status-stream-context.js';
import { Button } from '../../components/button.js';
import { CompleteSince } from '../../components/complete-since.js';
import { DataTable } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { SelectField } from '../../components/form-field.js';
import { ManyDialog } from '../../components/many/many-dialog.js';
import { RecoveryDialog } from '../../components/many/recovery-dialog.js';
import { RecoveryLine } from '../../components/many/recovery-line.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { QueryState } from '../../components/query-state.js';
import { stateWord } from '../../components/state-badge.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import { Toggle, ToggleGroup } from '../../components/toggle.js';
import { undeliveredColumns } from './undelivered-columns.js';
import ui from '../../components/ui.module.css';
import styles from './not-delivered.module.css';

/** Most events of a request for redelivery. */
const MOST_EVENTS = 1_000;

/** What no target has received and none will, unless it is redelivered: whether anything was lost. */
function NotDelivered() {
  const filter = screen.useSearch();
  const navigate = screen.useNavigate();
  const { statuses } = useStatuses();
  const columns = useMemo(() => undeliveredColumns(statuses), [statuses]);
  const query = useInfiniteQuery(undeliveredQuery(filter));
  const mayOperate = useMay('operate');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, isFetchedAfterMount } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ deliveries }) => deliveries), [data]);
  const completeSince = data?.pages.find((page) => page.complete_since !== undefined)?.complete_since;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const change = (next: UndeliveredFilter): void => {
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  };
  const isEmpty = rows?.length === 0 && error === null;
  // What an earlier visit read is no answer.
  const isStale = isFetching && !isFetchedAfterMount;
  const isFiltered = filter.state !== undefined || filter.destination_id !== undefined;

  return (
    <>
      <PageHeader title="Not delivered">
        <p>
          Deliveries that have ended and whose events are not at the target: rejected or expired ones, newest first.
        </p>
      </PageHeader>
      <div className={ui.parts}>
        <Filters filter={filter} statuses={statuses} onChange={change} />
        <RecoveryLine mayOperate={mayOperate} />
        {mayOperate && rows !== undefined && (
          <Redeliver
            isOffered={rows.length > 0}
            deliveries={rows.filter(({ id }) => selected.has(id))}
            statuses={statuses}
            destinationId={filter.destination_id}
            onDone={() => setSelected(new Set())}
          />
        )}
        <QueryState query={query} what="deliveries" />
        {rows !== undefined && rows.length > 0 && (
          <>
            <DataTable
              label="Not delivered"
              rows={rows}
              columns={columns}
              estimatedHeight={78}
              onOpen={({ event_id: id }) => void navigate({ to: '/events/$id', params: { id }, search: {} })}
              onEndReached={readOn}
              selection={
                mayOperate
                  ? {
                      ids: selected,
                      onChange: setSelected,
                      nameOf: ({ event_type: type, event_id: id }) => `${type} ${id}`,
                    }
                  : undefined
              }
            />
            <div className={ui.soft}>
              <p role="status">{countText(rows.length, hasNextPage)}</p>
              <CompleteSince at={completeSince} />
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
        {isEmpty && isStale && <Progress label="Reading the deliveries" />}
        {isEmpty && !isStale && isFiltered && (
          <EmptyState
            title="No delivery matches"
            actions={
              <Button onPress={() => change({ state: undefined, destination_id: undefined })}>Clear the filters</Button>
            }
          >
            <p>No delivery with these filters was rejected or has expired.</p>
            <CompleteSince at={completeSince} />
          </EmptyState>
        )}
        {isEmpty && !isStale && !isFiltered && (
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
            <CompleteSince at={completeSince} />
          </EmptyState>
        )}
      </div>
    </>
  );
}

interface RedeliverProps {
  /** Whether there is a delivery. Without one, only what is under way is shown, and its result. */
  readonly isOffered: boolean;
  /** The selected deliveries. */
  readonly deliveries: readonly Delivery[];
  /** Null before they are known. */
  readonly statuses: readonly EventDestinationStatus[] | null;
  /** The destination that the list is of; undefined: every one. */
  readonly destinationId: string | undefined;
  readonly onDone: () => void;
}

/**
 * Redelivers the selected deliveries, and tests or pauses their destinations; without a selection, redelivers what was
 * not delivered since a time.
 */
function Redeliver({ isOffered, deliveries, statuses, destinationId, onDone }: RedeliverProps) {
  const client = useQueryClient();
  const [open, setOpen] = useState<'recovery' | 'test' | 'pause' | null>(null);
  const [queued, setQueued] = useState(0);
  const close = (): void => setOpen(null);
  const ids = [...new Set(deliveries.map(({ destination_id: id }) => id))];
  const { mutate, isIdle, isPending, error, data } = useMutation({
    mutationFn: async () => {
      let count = 0;
      const errors: Error[] = [];
      setQueued(0);
      for (const id of ids) {
        const events = deliveries.filter(({ destination_id: to }) => to === id).map(({ event_id: event }) => event);
        for (let first = 0; first < events.length; first += MOST_EVENTS)
          await redeliverEvents(id, events.slice(first, first + MOST_EVENTS)).then(
            (more) => setQueued((count += more)),
            (failure: Error) => errors.push(failure),
          );
      }
      // A deleted destination or an erased event does not keep the others from theirs.
      if (errors[0]) throw errors[0];
      return count;
    },
    onSuccess: onDone,
    onSettled: () => destinationChanged(client, ...ids),
  });
  if (!isOffered && isIdle && open === null) return null;
  const isNone = deliveries.length === 0;
  const targets = (statuses ?? [])
    .filter(({ id }) => ids.includes(id))
    .map((status) => ({ id: status.id, name: nameOrId(status.description, status.id), status }));
  return (
    <>
      <div role="group" aria-label="Actions for many" className={ui.line}>
        <span role="status" className={ui.soft}>
          {!isNone && `${deliveries.length.toLocaleString('en')} selected`}
          {isNone && data === undefined && 'Select deliveries to redeliver them.'}
          {isNone && data !== undefined && `${data.toLocaleString('en')} queued again.`}
        </span>
        {isNone ? (
          <Button icon="retrying" onPress={() => setOpen('recovery')}>
            Redeliver since a time
          </Button>
        ) : (
          <>
            <Button icon="retrying" look="main" isBusy={isPending} onPress={() => mutate()}>
              Redeliver the selected
            </Button>
            <Button icon="play" isDisabled={targets.length === 0} onPress={() => setOpen('test')}>
              Test their destinations
            </Button>
            <Button icon="paused" isDisabled={targets.length === 0} onPress={() => setOpen('pause')}>
              Pause their destinations
            </Button>
          </>
        )}
      </div>
      {isPending && <Progress label="Queued again" done={queued} total={deliveries.length} />}
      {error && <ProblemPanel error={error} title="Not all of the selected deliveries were redelivered" />}
      {open === 'recovery' && (
        <RecoveryDialog
          ids={destinationId === undefined ? undefined : [destinationId]}
          existing={statuses}
          onClose={close}
        />
      )}
      {(open === 'test' || open === 'pause') && <ManyDialog action={open} targets={targets} onClose={close} />}
    </>
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
