import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { MOST_FOLLOWED } from '../../api/live-statuses.js';
import { newestRecoveryQuery } from '../../api/recoveries.js';
import { serviceQuery } from '../../api/service.js';
import { receiversQuery } from '../../api/subscriptions.js';
import { undeliveredCountsQuery } from '../../api/undelivered.js';
import { useMay } from '../../app/session-context.js';
import { useStatuses } from '../../app/status-stream-context.js';
import { Button } from '../../components/button.js';
import { DataTable, type Sort } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { LiveIndicator } from '../../components/live-indicator.js';
import { RecoveryLine } from '../../components/many/recovery-line.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { stateTone } from '../../components/state-badge.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import { Time } from '../../components/time.js';
import { useFrozenAt } from '../../time/clock.js';
import { destinationColumns } from './destination-columns.js';
import { Filters } from './filters.js';
import { ManyActions } from './many-actions.js';
import { matching, rowsOf, totalsOf } from './rows.js';
import type { OverviewSearch } from './search.js';
import { Summary } from './summary.js';
import ui from '../../components/ui.module.css';
import styles from './overview.module.css';

/** Every destination: what is broken, since when and why, and what waits. */
function Overview() {
  const search = screen.useSearch();
  const navigate = screen.useNavigate();
  const { statuses, state, pause, resume, listError } = useStatuses();
  const mayOperate = useMay('operate');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  // The destinations are shown before it is read which of them receive events.
  const enabled = statuses !== null && statuses.length > 0 && state.kind !== 'paused';
  const { data: receivers } = useQuery({ ...receiversQuery, enabled });
  const { data: undelivered } = useQuery({ ...undeliveredCountsQuery(), enabled });
  // A recovery is shown above the destinations: they would move when it is read after them.
  const { isFetched, failureCount } = useQuery(newestRecoveryQuery);
  const isReading = statuses === null || (statuses.length > 0 && !isFetched && failureCount === 0);
  const serviceOf = useServiceOf();
  const rows = useMemo(
    () => rowsOf(statuses ?? [], receivers, serviceOf, undelivered?.byId),
    [statuses, receivers, serviceOf, undelivered],
  );
  const shown = useMemo(() => matching(rows, search), [rows, search]);
  const totals = useMemo(() => totalsOf(statuses ?? []), [statuses]);
  const change = (next: Partial<OverviewSearch>): void => {
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  };

  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          <>
            <LiveIndicator state={state} onPause={pause} onResume={resume} />
            <CreateButton />
          </>
        }
      >
        <ServiceFacts />
      </PageHeader>
      <div className={ui.parts}>
        {state.kind === 'waiting' && state.error !== null && (
          <ProblemPanel error={state.error} title="The page is not live" />
        )}
        {listError && !(state.kind === 'waiting' && state.error !== null) && (
          <ProblemPanel error={listError} title="The status of the destinations could not be read" />
        )}
        {isReading && !listError && state.kind !== 'paused' && (
          <div className={ui.skeleton}>
            <Progress label="Reading the destinations" />
          </div>
        )}
        {statuses?.length === 0 && <NoDestinations />}
        {statuses !== null && statuses.length > 0 && !isReading && (
          <>
            <RecoveryLine mayOperate={mayOperate} />
            <Summary totals={totals} total={statuses.length} />
            {statuses.length >= MOST_FOLLOWED && (
              <p className={ui.note}>
                The newest {MOST_FOLLOWED.toLocaleString('en')} destinations are shown and counted. There may be more:
                “Not delivered” counts those of all.
              </p>
            )}
            <div className={`${ui.line} ${styles.controls}`}>
              <Filters search={search} totals={totals} rows={rows} shown={shown.length} onChange={change} />
              {mayOperate && (
                <ManyActions
                  all={rows}
                  rows={rows.filter(({ id }) => selected.has(id))}
                  onClear={() => setSelected(new Set())}
                />
              )}
            </div>
            {shown.length > 0 ? (
              <DataTable
                label="Destinations"
                rows={shown}
                columns={destinationColumns}
                rowTone={({ status, undelivered: lost }) =>
                  status.muted === null ? (stateTone(status.status) ?? (lost ? 'warn' : undefined)) : undefined
                }
                onOpen={({ id }) => void navigate({ to: '/destinations/$id', params: { id }, search: {} })}
                sort={sortOf(search.sort)}
                onSort={(sort) => change({ sort: sort ? `${sort.desc ? '-' : ''}${sort.id}` : undefined })}
                selection={
                  mayOperate ? { ids: selected, onChange: setSelected, nameOf: ({ name }) => name } : undefined
                }
              />
            ) : (
              <EmptyState
                title="No destination matches"
                actions={<Button onPress={() => void navigate({ search: {}, replace: true })}>Clear the filter</Button>}
              >
                The account has {statuses.length.toLocaleString('en')} destinations. None of them matches this filter.
              </EmptyState>
            )}
          </>
        )}
      </div>
    </>
  );
}

function CreateButton() {
  const mayChange = useMay('change');
  const navigate = useNavigate();
  if (!mayChange) return null;
  return (
    <Button icon="plus" onPress={() => void navigate({ to: '/destinations/new', search: {} })}>
      Create a destination
    </Button>
  );
}

function NoDestinations() {
  const mayChange = useMay('change');
  return (
    <EmptyState
      title="No destination yet"
      actions={
        mayChange ? (
          <Link to="/destinations/new" search={{}}>
            Create the first destination
          </Link>
        ) : (
          <a href="/docs">API documentation</a>
        )
      }
    >
      <p>A destination is where Waybill delivers events: a stream, a log group or a log intake of your cloud.</p>
      {mayChange ? (
        <p>Create one in five steps: target, credentials, event types, test, subscription. It appears here at once.</p>
      ) : (
        <p>Your role cannot create one. Ask a person whose key has the role admin. It appears here at once.</p>
      )}
    </EmptyState>
  );
}

function sortOf(text: string | undefined): Sort | null {
  if (text === undefined) return null;
  return text.startsWith('-') ? { id: text.slice(1), desc: true } : { id: text, desc: false };
}

const backends = { redis: 'Redis', postgres: 'Postgres' } as const;

/** What runs here: the workers that are alive, or were at the last answer, the queue backend, the release. */
function ServiceFacts() {
  const { data, error, dataUpdatedAt: at, failureCount: failures } = useQuery(serviceQuery);
  const isCurrent = useFrozenAt() === null && failures === 0;
  if (!data) return <p>{error ? 'The state of the workers is not available.' : 'Reading the state of the workers.'}</p>;
  const alive = data.workers.filter((worker) => worker.alive).length;
  const dead = data.workers.length - alive;
  return (
    <>
      {alive === 0 && isCurrent && (
        <p className={`${ui.bad} ${ui.strong}`} role="alert">
          <Icon name="misconfigured" /> No worker is alive: events wait. Start a process with <code>ROLES=worker</code>.
        </p>
      )}
      <p>
        {alive} {alive === 1 ? 'worker' : 'workers'}{' '}
        {isCurrent ? (
          <>{alive === 1 ? 'is' : 'are'} alive</>
        ) : (
          <>
            {alive === 1 ? 'was' : 'were'} alive at <Time at={new Date(at).toISOString()} show="absolute" />
          </>
        )}
        {dead > 0 && `, ${dead} not`} · queues in {backends[data.queue_backend]} · Waybill {data.version}
      </p>
    </>
  );
}

export const screen = createLazyRoute('/signed-in/')({ component: Overview });
