import type { EventDestinationStatus } from '@waybill/client';
import { Countdown } from '../../components/time.js';
import { useShownNow } from '../../time/clock.js';
import styles from './destination.module.css';

/** Properties of `NextTry`. */
export interface NextTryProps {
  readonly status: EventDestinationStatus;
}

/** When a failing destination is tried again: a countdown, and that it is tried at its end while deliveries wait. */
export function NextTry({ status: { status, pending, next_attempt_at: next } }: NextTryProps) {
  const now = useShownNow();
  if (status !== 'retrying' && status !== 'misconfigured') return null;
  if (next === null || now >= Date.parse(next)) {
    return pending > 0 ? <span className={styles.strong}>Trying now</span> : null;
  }
  return (
    <span className={styles.strong}>
      Next try <Countdown to={next} />
    </span>
  );
}
