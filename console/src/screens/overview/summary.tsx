import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { boundedText } from '../../components/bounded-text.js';
import { Since } from '../../components/time.js';
import { NotDelivered } from './not-delivered.js';
import type { Totals } from './rows.js';
import type { OverviewSearch } from './search.js';
import styles from './overview.module.css';

/** Properties of `Summary`. */
export interface SummaryProps {
  readonly totals: Totals;
  /** Number of destinations. */
  readonly total: number;
}

/** The numbers of all destinations. */
export function Summary({ totals, total }: SummaryProps) {
  const { byState, undelivered, undeliveredIsLowerBound, oldestPendingAt } = totals;
  const broken = byState.misconfigured + byState.retrying;
  return (
    <dl className={styles.summary}>
      <Fact name="Destinations" search={{}}>
        {total.toLocaleString('en')}
      </Fact>
      <Fact
        name="Misconfigured or retrying"
        tone={broken > 0 ? 'bad' : undefined}
        search={{ state: ['misconfigured', 'retrying'] }}
      >
        {broken.toLocaleString('en')}
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
      <NotDelivered />
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly tone?: 'bad' | undefined;
  /** The filter and the order of the list that shows what is counted. */
  readonly search: OverviewSearch;
  readonly children: ReactNode;
}

function Fact({ name, tone, search, children }: FactProps) {
  return (
    <div className={styles.fact} data-tone={tone}>
      <dt>
        <Link to="/" search={search} resetScroll={false}>
          {name}
        </Link>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
