import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { steps, stepTitles, type Step } from './steps.js';
import ui from '../../components/ui.module.css';
import styles from './new-destination.module.css';

interface StepCardProps {
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
    <li className={`${ui.card} ${styles.step}`} data-tone={isDone ? 'good' : undefined}>
      <section aria-labelledby={`step-${step}`} className={ui.stack}>
        <h2 id={`step-${step}`} ref={heading} tabIndex={-1} className={ui.line}>
          <span className={styles.number}>{steps.indexOf(step) + 1}</span> {stepTitles[step]}
        </h2>
        <div role="status" className={ui.soft}>
          {isDone ? (
            <span className={`${ui.line} ${ui.strong} ${ui.toned}`}>
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
