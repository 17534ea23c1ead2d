import type { ExportState } from '../api/exports.js';
import { Icon, type IconName } from './icon.js';
import styles from './state-badge.module.css';

const looks: Readonly<Record<ExportState, { tone: string; icon: IconName; word: string }>> = {
  pending: { tone: 'plain', icon: 'pending', word: 'Pending' },
  running: { tone: 'calm', icon: 'exports', word: 'Running' },
  completed: { tone: 'good', icon: 'healthy', word: 'Completed' },
  failed: { tone: 'bad', icon: 'misconfigured', word: 'Failed' },
  cancelled: { tone: 'plain', icon: 'stopped', word: 'Cancelled' },
  expired: { tone: 'plain', icon: 'pending', word: 'Expired' },
};

/** The state of an export as colour, picture and word. */
export function ExportStateBadge({ state }: { readonly state: ExportState }) {
  const { tone, icon, word } = looks[state];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
