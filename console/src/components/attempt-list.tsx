import type { DeliveryAttempt } from '@waybill/client';
import { lengthText } from '../time/format.js';
import { timedAttempts, type KeptAttempts } from './attempt-times.js';
import { OutcomeBadge } from './state-badge.js';
import { Time } from './time.js';
import ui from './ui.module.css';

/** The attempts of a delivery, newest first, each with what the vendor responded. With `since`, waits are shown. */
export function AttemptList({ attempts, total, since }: KeptAttempts) {
  if (total === 0) return <p className={ui.note}>No attempt was made yet.</p>;
  return (
    <>
      {attempts.length === 0 && (
        <p className={ui.note}>The attempts are older than their retention, and were removed.</p>
      )}
      <ol className={ui.stack} aria-label="Attempts">
        {timedAttempts({ attempts, total, since })
          .toReversed()
          .map(({ attempt, number, waitMs }) => (
            <li key={attempt.started_at} className={ui.card}>
              <p className={ui.line}>
                <strong>Attempt {number.toLocaleString('en')}</strong>
                <OutcomeBadge outcome={attempt.outcome} />
                <span className={ui.note}>
                  <Time at={attempt.started_at} show="absolute" withMs />
                  {since !== undefined && waitMs !== null && ` · after a wait of ${lengthText(waitMs)}`} ·{' '}
                  {attempt.duration_ms.toLocaleString('en')} ms
                </span>
              </p>
              <Response attempt={attempt} />
            </li>
          ))}
      </ol>
      {total > attempts.length && attempts.length > 0 && (
        <p className={ui.note}>{(total - attempts.length).toLocaleString('en')} earlier attempts are not shown.</p>
      )}
    </>
  );
}

function Response({ attempt: { outcome, code, message, http_status: status } }: { readonly attempt: DeliveryAttempt }) {
  if (outcome === 'delivered') return <p className={ui.note}>The target accepted the event.</p>;
  return (
    <>
      <p className={ui.strong}>{message ?? 'The target gave no reason.'}</p>
      <p className={ui.note}>
        {code !== null && <code>{code}</code>}
        {code !== null && ' · '}
        {status === null ? 'no HTTP response' : `HTTP ${status}`}
      </p>
    </>
  );
}
