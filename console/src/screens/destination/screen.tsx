import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { destinationQuery, lastChangeQuery } from '../../api/destination.js';
import { isNotFound } from '../../api/problem.js';
import { nameOrId } from '../../api/resource-label.js';
import { useStatusOf } from '../../app/status-stream-context.js';
import { EmptyState } from '../../components/empty-state.js';
import { LiveIndicator } from '../../components/live-indicator.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { kindNameOf } from '../../components/target/draft.js';
import { useServiceOf } from '../../components/target/target-kinds.js';
import { Actions } from './actions/actions.js';
import { Backfills } from './actions/backfills.js';
import { Charts } from './charts/charts.js';
import { DeliveriesTab } from './deliveries/deliveries-tab.js';
import { NoEvents } from './no-events.js';
import { Ribbon } from './ribbon/ribbon.js';
import { tabs, type DestinationSearch, type Tab as TabName, type TabProps } from './search.js';
import { SettingsTab } from './settings-tab.js';
import { StatePanel } from './state-panel.js';
import ui from '../../components/ui.module.css';
import styles from './destination.module.css';

const labels: Readonly<Record<TabName, string>> = {
  overview: 'Overview',
  deliveries: 'Deliveries',
  settings: 'Settings',
};

/** One destination: what is wrong with it, what it received, and what repairs it. */
function DestinationPage() {
  const { id } = screen.useParams();
  const search = screen.useSearch();
  const navigate = screen.useNavigate();
  const { data, error, refetch } = useQuery(destinationQuery(id));
  const { status, isReading, state, pause, resume, error: statusError } = useStatusOf(id);
  // Another person has deleted it while the page was open.
  const isGone = isNotFound(statusError);
  useEffect(() => {
    if (isGone) void refetch();
  }, [isGone, refetch]);
  // The page would move when what stands at its top is read after it.
  const { isFetched, failureCount } = useQuery(lastChangeQuery(id));
  const serviceOf = useServiceOf();
  const change = (next: Partial<DestinationSearch>, { push } = { push: false }): void => {
    void navigate({ search: (before) => ({ ...before, ...next }), replace: !push, resetScroll: false });
  };

  // A later read that fails leaves the page as it is, unless the destination was deleted.
  if (error && (!data || isNotFound(error))) {
    return <NoDestination id={id} error={error} onRetry={() => void refetch()} />;
  }
  if (!data || isReading || (!isFetched && failureCount === 0)) return <Progress label="Reading the destination" />;
  const { resource: destination } = data;
  const name = nameOrId(destination.description, id);
  return (
    <>
      <PageHeader title={name} actions={<LiveIndicator state={state} onPause={pause} onResume={resume} />}>
        {serviceOf(kindNameOf(destination.target))} · <code>{id}</code>
      </PageHeader>
      <div className={ui.parts}>
        {status ? (
          <StatePanel status={status} onRepair={() => change({ tab: 'settings', edit: 'target' })} />
        ) : (
          <Progress label="Reading the status" />
        )}
        <NoEvents destinationId={id} />
        <Actions key={id} id={id} name={name} status={status} />
        <Tabs
          key={id}
          selectedKey={search.tab ?? 'overview'}
          onSelectionChange={(key) => {
            const tab = tabs.find((one) => one === key);
            change({ tab: tab === 'overview' ? undefined : tab });
          }}
        >
          <TabList aria-label="Destination" className={styles.tabs ?? ''}>
            {tabs.map((tab) => (
              <Tab key={tab} id={tab} className={styles.tab ?? ''}>
                {labels[tab]}
              </Tab>
            ))}
          </TabList>
          <TabPanel id="overview" className={styles.panel ?? ''}>
            <OverviewTab id={id} status={status} search={search} onChange={change} />
          </TabPanel>
          <TabPanel id="deliveries" className={styles.panel ?? ''}>
            <DeliveriesTab id={id} status={status} search={search} onChange={change} />
          </TabPanel>
          <TabPanel id="settings" className={styles.panel ?? ''}>
            <SettingsTab
              version={data}
              status={status}
              isOpen={search.edit === 'target'}
              onOpen={(open) => change({ edit: open ? 'target' : undefined })}
            />
          </TabPanel>
        </Tabs>
      </div>
    </>
  );
}

interface NoDestinationProps {
  readonly id: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

function NoDestination({ id, error, onRetry }: NoDestinationProps) {
  const isMissing = isNotFound(error);
  return (
    <>
      <PageHeader title={isMissing ? 'No such destination' : 'Destination'} />
      {isMissing ? (
        <EmptyState title="The account has no destination with this id" actions={<Link to="/">All destinations</Link>}>
          <code>{id}</code> does not exist, or was deleted. Its events remain in the event log.
        </EmptyState>
      ) : (
        <ProblemPanel error={error} title="The destination could not be read" onRetry={onRetry} />
      )}
    </>
  );
}

/** What a destination received: over time, and number by number. */
function OverviewTab({ id, status, search, onChange }: TabProps) {
  return (
    <>
      <Charts id={id} range={search.range ?? '1h'} onRange={(range) => onChange({ range })} />
      {status && <Ribbon id={id} status={status} search={search} onChange={onChange} />}
      <Backfills id={id} />
    </>
  );
}

export const screen = createLazyRoute('/signed-in/destinations/$id')({ component: DestinationPage });
