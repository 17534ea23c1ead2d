import type { DeliveryAttempt } from '@waybill/client';
import { Icon, type IconName } from './icon.js';
import styles from './state-badge.module.css';

/** Looks of the outcomes of an attempt. */
const looks = {
  delivered: { tone: 'good', icon: 'healthy', word: 'Delivered' },
  retry: { tone: 'warn', icon: 'retrying', word: 'Failed, is tried again' },
  misconfigured: { tone: 'bad', icon: 'misconfigured', word: 'Refused: misconfigured' },
  rejected: { tone: 'bad', icon: 'stopped', word: 'Rejected' },
} as const satisfies Record<DeliveryAttempt['outcome'], { tone: string; icon: IconName; word: string }>;

/** The outcome of an attempt as colour, picture and word. */
export function OutcomeBadge({ outcome }: { readonly outcome: DeliveryAttempt['outcome'] }) {
  const { tone, icon, word } = looks[outcome];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
