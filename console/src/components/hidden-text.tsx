import type { ReactNode } from 'react';
import styles from './hidden-text.module.css';

/** A text for screen readers: what others see from its place or its colour. */
export function HiddenText({ children }: { readonly children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
