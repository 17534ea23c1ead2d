import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import styles from './toggle.module.css';
import ui from './ui.module.css';

/** Toggles of one question: `States`. */
export function ToggleGroup({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={ui.line}>
      {children}
    </div>
  );
}

interface ToggleProps {
  readonly isOn: boolean;
  readonly onPress: () => void;
  readonly icon?: IconName;
  /** How many things it is about. */
  readonly count?: number;
  readonly children: string;
}

/** A round button that is on or off. */
export function Toggle({ isOn, onPress, icon, count, children }: ToggleProps) {
  return (
    <button type="button" className={`${ui.control} ${styles.toggle}`} aria-pressed={isOn} onClick={onPress}>
      {icon && <Icon name={icon} />}
      {children}
      {count !== undefined && <span className={ui.number}>{count.toLocaleString('en')}</span>}
    </button>
  );
}
