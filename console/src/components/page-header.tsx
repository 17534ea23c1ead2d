import { useEffect, type ReactNode } from 'react';
import styles from './page-header.module.css';
import ui from './ui.module.css';

interface PageHeaderProps {
  /** What the page shows; also the title of the browser's tab. */
  readonly title: string;
  /** A sentence or a few facts below the title. */
  readonly children?: ReactNode;
  /** Buttons of the page. */
  readonly actions?: ReactNode;
}

/** The heading of a page. Each page has one. */
export function PageHeader({ title, children, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Waybill`;
  }, [title]);
  return (
    <header className={`${ui.line} ${ui.between} ${styles.header}`}>
      <div className={styles.text}>
        <h1>{title}</h1>
        {children && <div className={ui.soft}>{children}</div>}
      </div>
      {actions && <div className={ui.line}>{actions}</div>}
    </header>
  );
}
