import type { EventDestinationStatus } from '@waybill/client';
import { useShownNow } from '../time/clock.js';
import { Countdown } from './time.js';
import ui from './ui.module.css';

interface NextTryProps {
  readonly status: EventDestinationStatus;
}

/** When a failing destination is tried again: a countdown, and that it is tried at its end while deliveries wait. */
export function NextTry({ status: { status, pending, next_attempt_at: next } }: NextTryProps) {
  const now = useShownNow();
  if (status !== 'retrying' && status !== 'misconfigured') return null;
  if (next === null || now >= Date.parse(next)) {
    return pending > 0 ? <span className={ui.strong}>Next attempt now</span> : null;
  }
  return (
    <span className={ui.strong}>
      Next attempt <Countdown to={next} />
    </span>
  );
}
