import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { steps, stepTitles, type Step } from './steps.js';
import styles from './new-destination.module.css';

/** Properties of `StepCard`. */
export interface StepCardProps {
  readonly step: Step;
  /** What the step still needs; nothing when it is done. */
  readonly missing: readonly string[];
  /** Whether the heading gets the focus: what had it is gone. */
  readonly isNext?: boolean;
  readonly children: ReactNode;
}

/** One step: its number and title, what it needs, and its fields. */
export function StepCard({ step, missing, isNext = false, children }: StepCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNext) heading.current?.focus();
  }, [isNext]);
  const isDone = missing.length === 0;
  return (
    <li className={styles.step} data-done={isDone}>
      <section aria-labelledby={`step-${step}`} className={styles.content}>
        <h2 id={`step-${step}`} ref={heading} tabIndex={-1} className={styles.title}>
          <span className={styles.number}>{steps.indexOf(step) + 1}</span> {stepTitles[step]}
        </h2>
        <div role="status" className={styles.missing}>
          {isDone ? (
            <span className={styles.done}>
              <Icon name="healthy" /> Done
            </span>
          ) : (
            <ul aria-label={`Missing in ${stepTitles[step]}`}>
              {missing.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </div>
        {children}
      </section>
    </li>
  );
}
