import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Properties of `EmptyState`. */
export interface EmptyStateProps {
  /** What is missing: `No destination yet`. */
  readonly title: string;
  /** Why nothing is here, and what makes something appear. */
  readonly children: ReactNode;
  /** What to do next. */
  readonly actions?: ReactNode;
}

/** What a page shows in place of an empty list: the reason, and the next step. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <section className={styles.empty}>
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.text}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
