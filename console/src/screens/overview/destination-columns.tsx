import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UndeliveredCount } from '@waybill/client';
import { lastHourOf } from '../../api/spark-steps.js';
import { Badge, type Look } from '../../components/badge.js';
import { boundedText } from '../../components/count.js';
import type { DataColumn } from '../../components/data-table.js';
import { Icon } from '../../components/icon.js';
import { Sparkline } from '../../components/sparkline.js';
import { MuteNote, StateBadge } from '../../components/state-badge.js';
import { Countdown, Since, Time } from '../../components/time.js';
import { NO_EVENTS, states, type DestinationRow } from './rows.js';
import ui from '../../components/ui.module.css';

/** The columns of the destinations. */
export const destinationColumns: readonly DataColumn<DestinationRow>[] = [
  {
    id: 'name',
    header: 'Destination',
    width: 'minmax(13.25rem, 2fr)',
    sortBy: ({ name }) => name,
    cell: (row) => <Name row={row} />,
  },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(8.5rem, 1fr)',
    sortBy: ({ status }) => states.indexOf(status.status),
    cell: ({ status }) => (
      <>
        <StateBadge state={status.status} />
        <div className={ui.note}>
          for <Since at={status.since} />
        </div>
      </>
    ),
  },
  {
    id: 'error',
    header: 'What is wrong',
    width: 'minmax(12rem, 3fr)',
    wide: true,
    cell: (row) => <Wrong row={row} />,
  },
  {
    id: 'undelivered',
    header: 'Waiting',
    width: 'minmax(7.25rem, 0.7fr)',
    align: 'end',
    sortBy: ({ status }) => status.pending,
    cell: ({ status }) => (
      <span className={ui.number}>{boundedText(status.pending, status.pending_is_lower_bound)}</span>
    ),
  },
  {
    id: 'wait',
    header: 'Oldest wait',
    width: 'minmax(7.25rem, 0.8fr)',
    align: 'end',
    // The longest wait is the largest.
    sortBy: ({ status }) => (status.oldest_pending_at === null ? undefined : -Date.parse(status.oldest_pending_at)),
    cell: ({ status }) =>
      status.oldest_pending_at === null ? (
        <span className={ui.soft}>none</span>
      ) : (
        <Since at={status.oldest_pending_at} />
      ),
  },
  {
    id: 'sequence',
    header: 'Last sequence',
    width: 'minmax(8rem, 0.8fr)',
    align: 'end',
    sortBy: ({ status }) => status.last_sequence,
    cell: ({ status }) => (
      <span className={ui.number}>
        {status.last_sequence.toLocaleString('en')}
        {status.epoch > 1 && <div className={ui.note}>epoch {status.epoch}</div>}
      </span>
    ),
  },
  {
    id: 'hour',
    header: 'Last hour',
    width: 'minmax(7rem, 1fr)',
    cell: ({ id, name }) => <LastHour id={id} name={name} />,
  },
];

function Name({ row: { id, name, service } }: { readonly row: DestinationRow }) {
  return (
    <>
      <div className={`${ui.strong} ${ui.clamped}`}>
        <Link to="/destinations/$id" params={{ id }} search={{}}>
          {name === id ? <code>{id}</code> : name}
        </Link>
      </div>
      <div className={ui.note}>
        {service}
        {name !== id && (
          <>
            {' · '}
            <code>{id}</code>
          </>
        )}
      </div>
    </>
  );
}

const noEvents: Look = { tone: 'warn', icon: 'events', word: NO_EVENTS };

/** What is wrong with a destination: why it fails, and that no subscription sends events to it. */
function Wrong({ row: { status, hasNoEvents, undelivered } }: { readonly row: DestinationRow }) {
  const isCalm = status.status === 'healthy';
  // A destination that fails has one reason, so that its row stays low.
  const lost = isCalm ? undelivered?.reasons[0]?.message : undefined;
  return (
    <>
      {status.muted && (
        <div className={ui.clamped} title={status.muted.reason}>
          <MuteNote mute={status.muted} />
        </div>
      )}
      {undelivered && <Undelivered count={undelivered} />}
      {lost != null && (
        <div className={`${ui.note} ${ui.clamped}`} title={lost}>
          {lost}
        </div>
      )}
      {(!isCalm || (!undelivered && (!hasNoEvents || status.last_error !== null))) && <Reason status={status} />}
      {hasNoEvents && (
        <div title="No subscription sends events to it.">
          <Badge look={noEvents} />
        </div>
      )}
    </>
  );
}

/** How many events a destination did not receive. */
function Undelivered({ count: { id, ...count } }: { readonly count: UndeliveredCount }) {
  const parts = (['rejected', 'expired'] as const).filter((state) => count[state] > 0);
  return (
    <Link to="/not-delivered" search={{ destination_id: id }} className={ui.bad}>
      <Icon name="stopped" />{' '}
      {parts.map((state) => `${boundedText(count[state], count.is_lower_bound)} ${state}`).join(', ')}
    </Link>
  );
}

/** The reason of a state in words, and what happens next. */
function Reason({ status }: { readonly status: DestinationRow['status'] }) {
  const { status: state, last_error: error, paused, next_attempt_at: next } = status;
  if (state === 'paused' && paused) {
    return (
      <>
        <div className={ui.clamped}>{paused.reason}</div>
        <div className={ui.note}>Paused by {paused.principal.subject}</div>
      </>
    );
  }
  if (error === null) return <span className={ui.soft}>nothing</span>;
  if (state === 'healthy') {
    return (
      <span className={ui.soft}>
        nothing now; last error <Time at={error.at} />
      </span>
    );
  }
  return (
    <>
      <div className={ui.clamped} title={error.message}>
        {error.message}
      </div>
      <div className={ui.note}>
        <code>{error.code}</code>
        {next !== null && (
          <>
            {' · next attempt '}
            <Countdown to={next} />
          </>
        )}
      </div>
    </>
  );
}

const MINUTE_MS = 60_000;

/** The deliveries of a destination in the last hour, read again every minute while the row is shown. */
function LastHour({ id, name }: { readonly id: string; readonly name: string }) {
  const { data, error } = useQuery({
    queryKey: ['last-hour', id],
    queryFn: ({ signal }) => lastHourOf(id, signal),
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
  });
  if (data) return <Sparkline rates={data} period={`${name}, last hour`} />;
  return <span className={ui.soft}>{error ? 'not available' : ''}</span>;
}
