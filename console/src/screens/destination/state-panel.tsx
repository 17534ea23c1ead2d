import type { EventDestinationStatus } from '@waybill/client';
import { useMay } from '../../app/session-context.js';
import { boundedText } from '../../components/bounded-text.js';
import { Button } from '../../components/button.js';
import { StateBadge, stateTone } from '../../components/state-badge.js';
import { Since, Time } from '../../components/time.js';
import { EndedFacts } from './ended-facts.js';
import { LastChangeFacts } from './last-change.js';
import { NextTry } from './next-try.js';
import styles from './destination.module.css';

/** Properties of `StatePanel`. */
export interface StatePanelProps {
  readonly status: EventDestinationStatus;
  /** Leads to the credentials. */
  readonly onRepair: () => void;
}

/** The state of a destination: since when and why, what waits, and when the next try is made. */
export function StatePanel({ status, onRepair }: StatePanelProps) {
  const mayChange = useMay('change');
  const { status: state, since, pending, pending_is_lower_bound: more, in_flight: inFlight } = status;
  const { oldest_pending_at: oldest, oldest_expires_at: expires, last_sequence: last, epoch } = status;
  return (
    <section className={styles.card} data-tone={stateTone(state)} aria-label="State">
      <p className={styles.line}>
        <StateBadge state={state} />
        <span>
          for <Since at={since} />
        </span>
        <NextTry status={status} />
      </p>
      <Reason status={status} />
      {state === 'misconfigured' && (
        <div className={styles.line}>
          {mayChange ? (
            <Button look="main" onPress={onRepair}>
              Repair the configuration
            </Button>
          ) : (
            <span className={styles.soft}>A person whose key has the role admin can change the configuration.</span>
          )}
          <span className={styles.soft}>
            Each event waits until its deadline. A change or a test tries again at once.
          </span>
        </div>
      )}
      {state === 'misconfigured' && <LastChangeFacts id={status.id} />}
      <dl className={styles.facts}>
        <div>
          <dt>Waiting</dt>
          <dd>{boundedText(pending, more)}</dd>
        </div>
        <div>
          <dt>In flight</dt>
          <dd>
            {inFlight.toLocaleString('en')}
            {inFlight > 0 && <InFlightNote status={status} />}
          </dd>
        </div>
        <div>
          <dt>Oldest wait</dt>
          <dd>
            {oldest === null ? 'none' : <Since at={oldest} />}
            {expires !== null && (state === 'misconfigured' || state === 'retrying') && (
              <div className={styles.small}>
                It expires <Time at={expires} show="absolute" />, unless it is delivered.
              </div>
            )}
          </dd>
        </div>
        <div>
          <dt>Last sequence</dt>
          <dd>
            {last.toLocaleString('en')}
            {epoch > 1 && <span className={styles.small}> epoch {epoch}</span>}
          </dd>
        </div>
        <EndedFacts id={status.id} />
      </dl>
    </section>
  );
}

/** Whether a call is under way for the deliveries in flight. */
function InFlightNote({ status: { status: state, next_attempt_at: next } }: Pick<StatePanelProps, 'status'>) {
  if (state === 'paused') {
    return <div className={styles.small}>A call that began before the pause may be under way. No other begins.</div>;
  }
  if (next === null) return <div className={styles.small}>A call is under way, or begins.</div>;
  return <div className={styles.small}>No call is under way until the next try.</div>;
}

/** The reason of a state in words. */
function Reason({ status: { status: state, paused, last_error: error } }: Pick<StatePanelProps, 'status'>) {
  return (
    <>
      {state === 'paused' && paused && (
        <p>
          <span className={styles.strong}>{paused.reason}</span>{' '}
          <span className={styles.soft}>
            Paused by {paused.principal.subject} <Time at={paused.since} show="absolute" />. Events wait in order and do
            not expire.
          </span>
        </p>
      )}
      {error !== null && (
        <p className={state === 'healthy' || state === 'paused' ? styles.soft : styles.strong}>
          {(state === 'healthy' || state === 'paused') && 'Last error: '}
          {error.message}{' '}
          <span className={styles.small}>
            <code>{error.code}</code> · <Time at={error.at} />, <Time at={error.at} show="absolute" />
          </span>
        </p>
      )}
      {error === null && state === 'healthy' && <p className={styles.soft}>There was no error yet.</p>}
    </>
  );
}
