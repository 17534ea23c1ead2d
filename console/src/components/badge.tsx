import { Icon, type IconName } from './icon.js';
import styles from './badge.module.css';

/** How a state looks: a colour, a picture and a word. */
export interface Look {
  readonly tone: 'good' | 'warn' | 'bad' | 'calm' | 'plain';
  readonly icon: IconName;
  readonly word: string;
}

/** A state as colour, picture and word. */
export function Badge({ look: { tone, icon, word } }: { readonly look: Look }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

/** Returns the tone that marks a row or a card: none for a state that asks for nothing. */
export function edgeTone({ tone }: Pick<Look, 'tone'>): 'bad' | 'warn' | 'calm' | undefined {
  return tone === 'good' || tone === 'plain' ? undefined : tone;
}
