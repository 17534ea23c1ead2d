import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { undeliveredCountsQuery } from '../../api/undelivered.js';
import { BoundedCount, boundedText } from '../../components/count.js';
import { Since } from '../../components/time.js';
import type { Totals } from './rows.js';
import type { OverviewSearch } from './search.js';
import ui from '../../components/ui.module.css';
import styles from './overview.module.css';

interface SummaryProps {
  readonly totals: Totals;
  /** Number of destinations. */
  readonly total: number;
}

/** The numbers of all destinations. */
export function Summary({ totals, total }: SummaryProps) {
  const { byState, broken, muted, undelivered, undeliveredIsLowerBound, oldestPendingAt } = totals;
  const mutedBroken = byState.misconfigured + byState.retrying - broken;
  return (
    <dl className={ui.tiles}>
      <Fact name="Destinations" search={{}}>
        {total.toLocaleString('en')}
      </Fact>
      <Fact
        name="Misconfigured or retrying"
        tone={broken > 0 ? 'bad' : undefined}
        search={{ state: ['misconfigured', 'retrying'], muted: muted.size > 0 ? 'false' : undefined }}
      >
        {broken.toLocaleString('en')}
        {mutedBroken > 0 && <span className={ui.note}> + {mutedBroken.toLocaleString('en')} muted</span>}
      </Fact>
      <Fact name="Waiting events" search={{ sort: '-undelivered' }}>
        {boundedText(undelivered, undeliveredIsLowerBound)}
      </Fact>
      <Fact
        name={byState.paused > 0 ? 'Oldest wait, not paused' : 'Oldest wait'}
        search={{ state: ['misconfigured', 'retrying', 'healthy'], sort: '-wait' }}
      >
        {oldestPendingAt === null ? 'none' : <Since at={oldestPendingAt} />}
      </Fact>
      <NotDelivered muted={muted} />
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly tone?: 'bad' | undefined;
  /** The filter and the order of the list that shows what is counted; absent: it is on a page of its own. */
  readonly search?: OverviewSearch;
  readonly children: ReactNode;
}

function Fact({ name, tone, search, children }: FactProps) {
  return (
    <div className={`${ui.card} ${styles.fact}`} data-tone={tone}>
      <dt>
        <Link
          {...(search ? { to: '/', search } : { to: '/not-delivered', search: {} })}
          resetScroll={search === undefined}
        >
          {name}
        </Link>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** How many deliveries were rejected or have expired, to any destination, read again every minute. */
function NotDelivered({ muted }: { readonly muted: ReadonlySet<string> }) {
  const { data, error } = useQuery(undeliveredCountsQuery());
  const isBad = [...(data?.byId.values() ?? [])].some(
    ({ id, rejected, expired }) => rejected + expired > 0 && !muted.has(id),
  );
  return (
    <Fact name="Not delivered" tone={isBad ? 'bad' : undefined}>
      <BoundedCount count={data} error={error} />
    </Fact>
  );
}
