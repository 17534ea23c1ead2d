import type { ReactNode } from 'react';
import styles from './facts.module.css';
import ui from './ui.module.css';

/** Names with their values, side by side. @param wide for values that are longer than a number */
export function Facts({ wide = false, children }: { readonly wide?: boolean; readonly children: ReactNode }) {
  return <dl className={`${wide ? ui.columns : `${ui.tiles} ${styles.numbers}`} ${styles.facts}`}>{children}</dl>;
}

/** A name with its value, in `Facts`. */
export function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
