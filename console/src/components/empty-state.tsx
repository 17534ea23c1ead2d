import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import ui from './ui.module.css';

interface EmptyStateProps {
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
    <section className={`${ui.stack} ${styles.empty}`}>
      <h2>{title}</h2>
      <div className={`${ui.soft} ${styles.text}`}>{children}</div>
      {actions && <div className={ui.line}>{actions}</div>}
    </section>
  );
}
