import { Icon, type IconName } from '../../components/icon.js';
import { verdictLooks, type Verdict } from './verdicts.js';
import styles from './reconcile.module.css';

const icons: Readonly<Record<'good' | 'calm' | 'warn' | 'bad', IconName>> = {
  good: 'healthy',
  calm: 'pending',
  warn: 'stopped',
  bad: 'misconfigured',
};

/** A verdict as colour, picture and word. */
export function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  const { word, tone } = verdictLooks[verdict];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon name={icons[tone]} />
      {word}
    </span>
  );
}
