import { useId } from 'react';
import styles from './progress.module.css';
import ui from './ui.module.css';

interface ProgressProps {
  /** What is being done: `Reading the export`. */
  readonly label: string;
  /** What is done, of `total`. */
  readonly done?: number;
  /** All that there is to do; null while it is not known. */
  readonly total?: number | null;
}

/** How far long work has come: a bar, and the numbers. */
export function Progress({ label, done = 0, total = null }: ProgressProps) {
  const id = useId();
  return (
    <div className={ui.line}>
      <label htmlFor={id}>{label}</label>
      <progress id={id} className={styles.bar} {...(total !== null && { max: Math.max(total, 1), value: done })} />
      <span className={`${ui.soft} ${ui.number}`}>
        {total === null
          ? done > 0 && done.toLocaleString('en')
          : `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </span>
    </div>
  );
}
