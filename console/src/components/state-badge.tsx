import { Icon, type IconName } from './icon.js';
import styles from './state-badge.module.css';

/** How a state looks: a colour, a picture and a word. */
interface Look {
  readonly tone: 'good' | 'warn' | 'bad' | 'calm' | 'plain';
  readonly icon: IconName;
  readonly word: string;
}

/** Looks of the states of destinations and deliveries, as the API names them. */
const looks = {
  healthy: { tone: 'good', icon: 'healthy', word: 'Healthy' },
  retrying: { tone: 'warn', icon: 'retrying', word: 'Retrying' },
  misconfigured: { tone: 'bad', icon: 'misconfigured', word: 'Misconfigured' },
  paused: { tone: 'calm', icon: 'paused', word: 'Paused' },
  pending: { tone: 'plain', icon: 'pending', word: 'Pending' },
  in_flight: { tone: 'calm', icon: 'destinations', word: 'In flight' },
  delivered: { tone: 'good', icon: 'healthy', word: 'Delivered' },
  rejected: { tone: 'bad', icon: 'stopped', word: 'Rejected' },
  expired: { tone: 'bad', icon: 'pending', word: 'Expired' },
  cancelled: { tone: 'plain', icon: 'stopped', word: 'Cancelled' },
} as const satisfies Record<string, Look>;

/** A state that has a look. */
export type KnownState = keyof typeof looks;

/** Returns the word for a state: `Misconfigured`. */
export function stateWord(state: KnownState): string {
  return looks[state].word;
}

/** A state as colour, picture and word. */
export function StateBadge({ state }: { readonly state: KnownState }) {
  const { tone, icon, word } = looks[state];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
