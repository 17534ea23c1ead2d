import type { ReactNode } from 'react';
import { Since } from '../../components/time.js';
import type { Totals } from './rows.js';
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
      <Fact name="Destinations">{total.toLocaleString('en')}</Fact>
      <Fact name="Misconfigured or retrying" tone={broken > 0 ? 'bad' : undefined}>
        {broken.toLocaleString('en')}
      </Fact>
      <Fact name="Undelivered events">
        {undelivered.toLocaleString('en')}
        {undeliveredIsLowerBound && '+'}
      </Fact>
      <Fact name="Oldest wait">{oldestPendingAt === null ? 'none' : <Since at={oldestPendingAt} />}</Fact>
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly tone?: 'bad' | undefined;
  readonly children: ReactNode;
}

function Fact({ name, tone, children }: FactProps) {
  return (
    <div className={styles.fact} data-tone={tone}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
