import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventDestinationStatus } from '@waybill/client';
import { countDeliveries } from '../../api/deliveries.js';
import { undeliveredStates, type UndeliveredState } from '../../api/undelivered.js';
import { useMay } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import { BoundedCount, boundedText } from '../../components/count.js';
import { Fact, Facts } from '../../components/facts.js';
import { NextTry } from '../../components/next-try.js';
import { MuteNote, StateBadge, stateTone, stateWord } from '../../components/state-badge.js';
import { Since, Time } from '../../components/time.js';
import { LastChangeFacts } from './last-change.js';
import ui from '../../components/ui.module.css';

interface StatePanelProps {
  readonly status: EventDestinationStatus;
  /** Leads to the credentials. */
  readonly onRepair: () => void;
}

/** The state of a destination: since when and why, what waits, and when the next attempt is made. */
export function StatePanel({ status, onRepair }: StatePanelProps) {
  const mayChange = useMay('change');
  const { status: state, since, pending, pending_is_lower_bound: more, in_flight: inFlight } = status;
  const { oldest_pending_at: oldest, oldest_expires_at: expires, last_sequence: last, epoch } = status;
  return (
    <section
      className={`${ui.card} ${ui.stack}`}
      data-tone={status.muted ? undefined : stateTone(state)}
      aria-label="State"
    >
      <p className={ui.line}>
        <StateBadge state={state} />
        <span>
          for <Since at={since} />
        </span>
        <NextTry status={status} />
      </p>
      {status.muted && <MuteNote mute={status.muted} />}
      <Reason status={status} />
      {state === 'misconfigured' && (
        <div className={ui.line}>
          {mayChange ? (
            <Button look="main" onPress={onRepair}>
              Repair the configuration
            </Button>
          ) : (
            <span className={ui.soft}>A person whose key has the role admin can change the configuration.</span>
          )}
          <span className={ui.soft}>
            Each event waits until its deadline. After a change or a test, the next attempt is made at once.
          </span>
        </div>
      )}
      {state === 'misconfigured' && <LastChangeFacts id={status.id} />}
      <Facts>
        <Fact name="Waiting">{boundedText(pending, more)}</Fact>
        <Fact name={isBetweenCalls(status) ? 'To be retried' : 'In flight'}>
          {inFlight.toLocaleString('en')}
          {inFlight > 0 && !isBetweenCalls(status) && <InFlightNote state={state} />}
        </Fact>
        <Fact name="Oldest wait">
          {oldest === null ? 'none' : <Since at={oldest} />}
          {expires !== null && (state === 'misconfigured' || state === 'retrying') && (
            <div className={ui.note}>
              It expires <Time at={expires} show="absolute" />, unless it is delivered.
            </div>
          )}
        </Fact>
        <Fact name="Last sequence">
          {last.toLocaleString('en')}
          {epoch > 1 && <span className={ui.note}> epoch {epoch}</span>}
        </Fact>
        {undeliveredStates.map((one) => (
          <EndedFact key={one} id={status.id} state={one} />
        ))}
      </Facts>
    </section>
  );
}

/** Whether the deliveries of the batch wait for the next attempt: no call is under way. */
function isBetweenCalls({ status, in_flight: inFlight, next_attempt_at: next }: EventDestinationStatus): boolean {
  return inFlight > 0 && next !== null && status !== 'paused';
}

function InFlightNote({ state }: { readonly state: EventDestinationStatus['status'] }) {
  return (
    <div className={ui.note}>
      {state === 'paused'
        ? 'A call that began before the pause may be under way. No other begins.'
        : 'A call is under way or about to begin.'}
    </div>
  );
}

/** The reason of a state in words. */
function Reason({ status: { status: state, paused, last_error: error } }: Pick<StatePanelProps, 'status'>) {
  return (
    <>
      {state === 'paused' && paused && (
        <p>
          <span className={ui.strong}>{paused.reason}</span>{' '}
          <span className={ui.soft}>
            Paused by {paused.principal.subject} <Time at={paused.since} show="absolute" />. Events wait in order and do
            not expire.
          </span>
        </p>
      )}
      {error !== null && (
        <p className={state === 'healthy' || state === 'paused' ? ui.soft : ui.strong}>
          {(state === 'healthy' || state === 'paused') && 'Last error: '}
          {error.message}{' '}
          <span className={ui.note}>
            <code>{error.code}</code> · <Time at={error.at} />, <Time at={error.at} show="absolute" />
          </span>
        </p>
      )}
      {error === null && state === 'healthy' && <p className={ui.soft}>There was no error yet.</p>}
    </>
  );
}

/** Time between counts, in milliseconds. */
const COUNT_MS = 60_000;

/** How many deliveries of a destination were rejected or have expired, up to a page. */
function EndedFact({ id, state }: { readonly id: string; readonly state: UndeliveredState }) {
  const { data, error } = useQuery({
    queryKey: ['destination', id, 'ended-count', state],
    queryFn: ({ signal }) => countDeliveries(id, { state }, signal, 1),
    refetchInterval: COUNT_MS,
  });
  return (
    <Fact
      name={
        <Link to="/destinations/$id" params={{ id }} search={{ tab: 'deliveries', state }} resetScroll={false}>
          {stateWord(state)}
        </Link>
      }
    >
      <BoundedCount count={data} error={error} />
    </Fact>
  );
}
